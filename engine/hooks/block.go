package hooks

import (
	"bytes"
	"path"
	"slices"
	"strings"
)

// Names lists the hooks that chant has something to say in.
func Names() []string { return []string{"pre-commit", "commit-msg", "pre-push"} }

// Aside is where a hook goes that was moved for ours: beside it, so that it finds what lies
// in its folder.
func Aside(name string) string { return name + ".chant-before" }

// AsideNamed is where one goes that is one program under several names, seen from its
// folder: it looks at what it was called by.
func AsideNamed(name string) string { return "chant-before/" + name }

// The lines between which a block stands. What stands behind first's text says how it
// got there: "file" when chant made the file, "line" when it ended the line before it.
const (
	opening = "# >>> chant hooks"
	closing = "# <<< chant hooks"
	made    = " (file)"
	ended   = " (line)"
)

// call is what a block does: it sources the script of the repository, if there is one.
const call = `chant_hook=NAME
chant_run="$(git rev-parse --git-common-dir 2>/dev/null)/chant/hook"
if [ -f "$chant_run" ]; then . "$chant_run"; fi
`

// goOn is what a hook of ours does then: it becomes the one that was there. Under
// another name, given by whoever took its place since, it does not. A shell script is
// sourced: then it is called as it was, by name and folder.
const goOn = `chant_before="${0%/*}/chant-before/NAME"
if [ ! -x "$chant_before" ]; then chant_before="${0%/*}/NAME.chant-before"; fi
case ${0##*/} in NAME) if [ -x "$chant_before" ]; then CALL; fi ;; esac
`

// Own is a hook for a place where there is none, or from which before was moved, nil for
// none.
func Own(name string, before []byte) []byte {
	first, becomes := "#!/bin/sh\n", `exec "$chant_before" "$@"`
	if before != nil && Shell(before) {
		becomes = `. "$chant_before"`
		if line, _, _ := bytes.Cut(before, []byte("\n")); bytes.HasPrefix(line, []byte("#!")) {
			first = strings.TrimRight(string(line), "\r") + "\n"
		}
	}
	return []byte(first + block(made, name, call+strings.Replace(goOn, "CALL", becomes, 1)))
}

// Part is a hook for a folder whose scripts someone else runs, as husky does: it has no
// first line and nothing to continue with.
func Part(name string) []byte { return []byte(block(made, name, call)) }

func block(how, name, text string) string {
	return opening + how + "\n" + strings.ReplaceAll(text, "NAME", name) + closing + "\n"
}

// Insert puts the block for a hook into a shell script, behind its first line if that
// names the interpreter. One that is there is replaced.
func Insert(src []byte, name string) []byte {
	src, _ = Strip(src)
	at := 0
	if bytes.HasPrefix(src, []byte("#!")) {
		if at = bytes.IndexByte(src, '\n') + 1; at == 0 {
			return slices.Concat(src, []byte("\n"+block(ended, name, call)))
		}
	}
	return slices.Concat(src[:at], []byte(block("", name, call)), src[at:])
}

// Strip takes the block out of a hook, nil when chant made the file and nothing else
// stands in it. found reports whether there was one.
func Strip(src []byte) (rest []byte, found bool) {
	from, how := opened(src)
	if from < 0 {
		return src, false
	}
	length := bytes.Index(src[from:], []byte("\n"+closing+"\n"))
	if length < 0 {
		return src, false
	}
	before, after := src[:from], src[from+length+len(closing)+2:]
	switch {
	case how == made && (len(before) == 0 || bytes.HasPrefix(before, []byte("#!")) && bytes.Count(before, []byte("\n")) == 1) && len(after) == 0:
		return nil, true
	case how == ended:
		before = bytes.TrimSuffix(before, []byte("\n"))
	}
	return slices.Concat(before, after), true
}

// opened finds the line that opens a block and how it got there, -1 without one.
func opened(src []byte) (at int, how string) {
	for line := range bytes.Lines(src) {
		how, opens := strings.CutPrefix(strings.TrimSuffix(string(line), "\n"), opening)
		if opens && slices.Contains([]string{"", made, ended}, how) {
			return at, how
		}
		at += len(line)
	}
	return -1, ""
}

// Shell reports whether a hook is a script that a POSIX shell runs, as git runs one
// without an interpreter line too.
func Shell(src []byte) bool {
	if bytes.IndexByte(src, 0) >= 0 {
		return false
	}
	line, _, _ := bytes.Cut(src, []byte("\n"))
	rest, named := bytes.CutPrefix(line, []byte("#!"))
	if !named {
		return true
	}
	words := strings.Fields(string(rest))
	if len(words) > 1 && path.Base(words[0]) == "env" {
		words = words[1:]
	}
	return len(words) > 0 && slices.Contains([]string{"sh", "bash", "dash", "ash", "ksh", "mksh", "busybox"}, path.Base(words[0]))
}
