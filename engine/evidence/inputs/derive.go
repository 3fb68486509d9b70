package inputs

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Derive returns globs of the files that a command depends on, from the top of the tree. dir is the folder in which it
// runs, and env are variables that it gets. why says why they cannot be derived, "" if they can.
func Derive(files fs.FS, line, dir string, env map[string]string) (globs []string, why string) {
	for name := range env {
		// Such as GOFLAGS, GOWORK and npm_config_workspace.
		if lower := strings.ToLower(name); strings.HasPrefix(lower, "go") || strings.HasPrefix(lower, "npm_") || strings.HasPrefix(lower, "yarn_") {
			return nil, fmt.Sprintf("variable %s may change which files count", name)
		}
	}
	args, plain := splitWords(line)
	if !plain {
		return nil, "the command is more than a program and its arguments"
	}
	dir = path.Clean(dir)
	found := set{}
	switch args[0] {
	case "go":
		why = deriveGo(files, dir, args[1:], found)
	case "npm", "pnpm", "yarn":
		why = deriveWorkspace(files, dir, args[1:], found)
	default:
		why = fmt.Sprintf("%q is none of go, npm, pnpm and yarn", args[0])
	}
	for glob := range found {
		globs = append(globs, glob)
	}
	slices.Sort(globs)
	return globs, why
}

// set has globs.
type set map[string]bool

// add adds files by a path in which only the last part is a glob; why says that the folder could be read as one.
func (s set) add(dir, glob string) (why string) {
	if strings.ContainsAny(dir, `*?[]{}\`) {
		return fmt.Sprintf("the name of folder %q has characters of globs", dir)
	}
	s[path.Join(dir, glob)] = true
	return ""
}

var (
	word      = `(?:[\w./:=@%+,^-]|'[^']*'|"[^"$` + "`" + `\\]*")+`
	plainLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*` + word + `(?:\s+` + word + `)*\s*$`) })
	words     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(word) })
)

// splitWords splits a command that a shell would start as it is. plain is false for one with variables, operators or globs.
func splitWords(line string) (args []string, plain bool) {
	// A line of its own is another command.
	if strings.ContainsAny(strings.TrimSpace(line), "\n\r") || !plainLine().MatchString(line) {
		return nil, false
	}
	for _, w := range words().FindAllString(line, -1) {
		args = append(args, strings.NewReplacer(`'`, "", `"`, "").Replace(w))
	}
	return args, !strings.Contains(args[0], "=")
}

// findAbove returns the nearest folder from dir up that is wanted.
func findAbove(dir string, wanted func(dir string) bool) (at string, found bool) {
	for at = dir; ; at = path.Dir(at) {
		if wanted(at) {
			return at, true
		}
		if at == "." {
			return "", false
		}
	}
}

func exists(files fs.FS, name string) bool {
	_, err := fs.Stat(files, name)
	return err == nil
}
