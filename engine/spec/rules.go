package spec

import (
	"strings"

	"chant/engine/spec/fileset"
)

// Rule is a file of rules that the work on specs follows.
type Rule struct {
	Path     string     // of the file, below home
	Paths    StringList // globs of the files that it is about; none = all
	Text     string     // the file without its front matter
	Commands []Command  // that must pass, each named by the item of a list that it ends
}

// Rules are the files of rules of a project, in their order.
type Rules []Rule

// For returns the rules for work on some target files. Without target files, work may change any file and has all of them.
func (r Rules) For(files []string) Rules {
	var out Rules
	for _, one := range r {
		if len(one.Paths) == 0 || len(files) == 0 || fileset.OverlapNamed(one.Paths, files) {
			out = append(out, one)
		}
	}
	return out
}

// Commands lists the commands of all rules.
func (r Rules) Commands() []Command {
	var out []Command
	for _, one := range r {
		out = append(out, one.Commands...)
	}
	return out
}

// CommandsOf lists the commands among the code spans that end an item: those that begin with "$ ". A "$" without a command
// is "".
func CommandsOf(code []string) []string {
	var out []string
	for _, span := range code {
		if command, ok := strings.CutPrefix(span, "$ "); ok {
			out = append(out, trimCommand(command))
		}
	}
	return out
}
