package prompt

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"chant/engine/spec"
	"chant/engine/spec/fileset"
	"chant/engine/store"
	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// This file reads rules, `.chant/rules.md` and the files of `.chant/rules`, from any file system, and spells them for an
// agent. Which file system that is, is decided in rulesread.go.

// maxRules limits a file of rules, in bytes: every agent reads it with each prompt.
const maxRules = 256 << 10

// ParseRules reads a file of rules. The path is for messages. Error: *markdown.SyntaxError with path and line.
func ParseRules(file string, src []byte) (spec.Rule, error) {
	doc, err := markdown.Parse(file, src)
	if err != nil {
		return spec.Rule{}, err
	}
	r := spec.Rule{Path: file, Text: strings.TrimSpace(string(doc.Body()))}
	if r.Paths, err = rulePaths(doc); err != nil {
		return spec.Rule{}, err
	}
	for _, item := range doc.Items() {
		for _, command := range spec.CommandsOf(item.Code) {
			if command == "" {
				return spec.Rule{}, &markdown.SyntaxError{Path: file, Line: item.Line, Msg: "the command of this rule is empty"}
			}
			r.Commands = append(r.Commands, spec.Command{Run: command, Name: withoutBox(item.Text), Rule: file})
		}
	}
	return r, nil
}

// rulePaths returns the globs under the key `paths`, the only one that a file of rules has.
func rulePaths(doc *markdown.Document) (spec.StringList, error) {
	keys, err := doc.Keys()
	if err != nil {
		return nil, err
	}
	fault := func(key, format string, args ...any) error {
		return &markdown.SyntaxError{Path: doc.Path(), Line: doc.KeyLine(key), Msg: fmt.Sprintf(format, args...)}
	}
	for _, key := range keys {
		// A misspelled key would make the rules count for other files than was meant.
		if key != "paths" {
			return nil, fault(key, "%s", spec.Unknown("key", key, []string{"paths"}))
		}
	}
	var node yaml.Node
	if found, err := doc.Get("paths", &node); err != nil || !found {
		return nil, err
	}
	var globs spec.StringList
	if err := node.Decode(&globs); err != nil {
		return nil, fault("paths", "paths: use a glob such as src/**/*.go, or a list of globs")
	}
	for _, glob := range globs {
		why := fileset.Fault(glob)
		if strings.HasPrefix(glob, "!") {
			why = `begins with "!": globs only add files`
		}
		if why != "" {
			return nil, fault("paths", "paths: %q %s", glob, why)
		}
	}
	if len(globs) == 0 {
		return nil, fault("paths", "paths is empty (leave it out for rules about all files)")
	}
	return globs, nil
}

// withoutBox returns the text of an item without the box of a task.
func withoutBox(text string) string {
	return strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(text, "[ ] "), "[x] "), "[X] ")
}

// ReadRules reads the rules in the files of a project, .chant/rules.md first. It returns all that can be read, and an error
// for each file that cannot: *markdown.SyntaxError, or that of the file system.
func ReadRules(files fs.FS) (out spec.Rules, broken []error) {
	for _, dir := range []string{store.Dir, store.RulesDir} {
		entries, err := fs.ReadDir(files, dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return out, append(broken, err)
		}
		for _, e := range entries {
			name := dir + "/" + e.Name()
			if name == store.RulesDir && !e.IsDir() {
				return out, append(broken, &markdown.SyntaxError{Path: name, Line: 1, Msg: "is not a folder; rules are read from no link"})
			}
			// A file of rules that nobody reads would look as if it counted.
			if dir == store.RulesDir && e.IsDir() {
				broken = append(broken, &markdown.SyntaxError{Path: name, Line: 1, Msg: "is a folder; rules are files of " + store.RulesDir + " itself"})
				continue
			}
			if name != store.RulesPath && (dir != store.RulesDir || path.Ext(name) != ".md") {
				continue
			}
			r, err := readRule(files, name, e)
			switch {
			case err != nil:
				broken = append(broken, err)
			// A file without text asks for nothing.
			case r.Text != "":
				out = append(out, r)
			}
		}
	}
	return out, broken
}

// readRule reads one file of rules.
func readRule(files fs.FS, name string, e fs.DirEntry) (spec.Rule, error) {
	// Nothing resolves the links of commits, so that rules behind one would count in the checkout alone; a pipe has no end.
	if !e.Type().IsRegular() {
		return spec.Rule{}, &markdown.SyntaxError{Path: name, Line: 1, Msg: "is not a regular file; rules are read from no link"}
	}
	file, err := files.Open(name)
	if err != nil {
		return spec.Rule{}, err
	}
	defer file.Close()
	src, err := io.ReadAll(io.LimitReader(file, maxRules+1))
	if err != nil {
		return spec.Rule{}, err
	}
	if len(src) > maxRules {
		return spec.Rule{}, &markdown.SyntaxError{Path: name, Line: 1, Msg: fmt.Sprintf("has more than %d KiB, which every agent would have to read", maxRules>>10)}
	}
	return ParseRules(name, src)
}

// QuoteRules returns the part of a prompt with these rules, "" without rules.
func QuoteRules(rules spec.Rules) string {
	if len(rules) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n## Rules of this project\n\nAll work here follows these rules. A command in them, marked `$`, is run when the work is done, and must pass.\n")
	for _, r := range rules {
		about := ""
		if len(r.Paths) > 0 {
			about = ", about " + strings.Join(r.Paths, ", ")
		}
		fmt.Fprintf(&b, "\nFrom `%s`%s:\n\n%s\n", r.Path, about, r.Text)
	}
	return b.String()
}
