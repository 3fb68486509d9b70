package setup

import (
	"encoding/json"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// This file proposes acceptance criteria from what a repository contains: the command with which its tests run.
// For a new spec they are criteria, and for a new project commands that every spec must pass.
//
// It is pure: it reads a file system that it is given.

// rule proposes criteria if a file of this name exists at the top of the repository.
type rule struct {
	file    string
	propose func(content []byte, has func(name string) bool) []string
}

func alwaysPropose(criteria ...string) func([]byte, func(string) bool) []string {
	return func([]byte, func(string) bool) []string { return criteria }
}

func rules() []rule {
	return []rule{
		{"go.mod", alwaysPropose("Tests pass `$ go test ./...`", "The code passes vet `$ go vet ./...`")},
		{"package.json", proposeNode},
		{"Cargo.toml", alwaysPropose("Tests pass `$ cargo test`")},
		{"pyproject.toml", proposePython},
		{"pom.xml", alwaysPropose("Tests pass `$ mvn -q test`")},
		{"Makefile", proposeMake},
	}
}

// ProposeCriteria lists criteria, each with its command, in a fixed order; none if nothing is known about the repository. A file that
// cannot be read counts as missing.
func ProposeCriteria(top fs.FS) []string {
	has := func(name string) bool {
		info, err := fs.Stat(top, name)
		return err == nil && info.Mode().IsRegular()
	}
	var out []string
	for _, r := range rules() {
		if !has(r.file) {
			continue
		}
		// A file that cannot be read counts as missing.
		if content, err := fs.ReadFile(top, r.file); err == nil {
			out = append(out, r.propose(content, has)...)
		}
	}
	return out
}

// Commands lists the commands of the criteria that For proposes.
func Commands(top fs.FS) []string {
	var out []string
	for _, criterion := range ProposeCriteria(top) {
		out = append(out, CommandsIn(criterion)...)
	}
	return out
}

// Without leaves out the criteria of which all commands run anyway.
func Without(criteria, commands []string) []string {
	return slices.DeleteFunc(criteria, func(criterion string) bool {
		// A criterion with another command still says something.
		return !slices.ContainsFunc(CommandsIn(criterion), func(c string) bool { return !slices.Contains(commands, c) })
	})
}

// CommandsIn lists the commands in a criterion.
func CommandsIn(criterion string) []string {
	var out []string
	for _, m := range command().FindAllStringSubmatch(criterion, -1) {
		out = append(out, strings.TrimSpace(m[1]))
	}
	return out
}

// proposeNode reads the scripts of a package.json; the lock file says which program runs them.
func proposeNode(content []byte, has func(string) bool) []string {
	var p struct {
		Scripts map[string]string `json:"scripts"`
	}
	if json.Unmarshal(content, &p) != nil {
		return nil
	}
	program := "npm"
	for _, other := range []struct{ lock, name string }{{"pnpm-lock.yaml", "pnpm"}, {"yarn.lock", "yarn"}, {"bun.lock", "bun"}} {
		if has(other.lock) {
			program = other.name
		}
	}
	var out []string
	// npm init writes such a script.
	if test := p.Scripts["test"]; test != "" && !strings.Contains(test, "no test specified") {
		out = append(out, "Tests pass `$ "+program+" run test`")
	}
	if p.Scripts["lint"] != "" {
		out = append(out, "The linter passes `$ "+program+" run lint`")
	}
	return out
}

// proposePython proposes the tests, by the Python of the project's environment if it has one.
func proposePython(_ []byte, has func(string) bool) []string {
	// The environment of the project has its packages.
	for _, folder := range []string{".venv", "venv"} {
		if program := folder + "/bin/python"; has(program) {
			return []string{"Tests pass `$ " + program + " -m pytest`"}
		}
	}
	return []string{"Tests pass `$ python -m pytest`"}
}

var target = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^(check|test)[ \t]*:([^=]|$)`) })

// proposeMake proposes the target that runs the tests: check, else test.
func proposeMake(content []byte, _ func(string) bool) []string {
	found := map[string]bool{}
	for _, m := range target().FindAllSubmatch(content, -1) {
		found[string(m[1])] = true
	}
	switch {
	case found["check"]:
		return []string{"Checks pass `$ make check`"}
	case found["test"]:
		return []string{"Tests pass `$ make test`"}
	}
	return nil
}

var command = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("`\\$ ([^`]+)`") })

// Program returns the program of a command, "" if its first word is not a plain word: one that a shell neither expands
// nor has built in by a special character.
func Program(command string) string {
	words := strings.Fields(command)
	if len(words) > 0 && plainWord().MatchString(words[0]) {
		return words[0]
	}
	return ""
}

var plainWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\w./+-]+$`) })
