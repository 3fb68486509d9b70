package hooks

import (
	"bytes"
	"path"
	"slices"
	"strings"
)

// Names lists the hooks that chant uses.
func Names() []string { return []string{"pre-commit", "commit-msg", "pre-push"} }

// AsideName returns the name of another hook after it was moved for ours: it stays in its folder, so that it finds the files
// there.
func AsideName(name string) string { return name + ".chant-before" }

// AsideNamed is the path, relative to its folder, of a moved hook that is one program under several names: it keeps the
// name by which it is called.
func AsideNamed(name string) string { return "chant-before/" + name }

// The first and the last line of a block. The first line ends with "file" if chant created the file, and with "line" if
// chant added the end of the line before it.
const (
	opening = "# >>> chant hooks"
	closing = "# <<< chant hooks"
	made    = " (file)"
	ended   = " (line)"
)

// call is the text of a block: it sources the script of the repository, if there is one.
const call = `chant_hook=NAME
chant_run="$(git rev-parse --git-common-dir 2>/dev/null)/chant/hook"
if [ -f "$chant_run" ]; then . "$chant_run"; fi
`

// proceed is the rest of a hook of ours: it runs the hook that was moved for it, unless another program has since
// renamed ours. A shell script is sourced, so that its name and its folder are as before.
const proceed = `chant_before="${0%/*}/chant-before/NAME"
if [ ! -x "$chant_before" ]; then chant_before="${0%/*}/NAME.chant-before"; fi
case ${0##*/} in NAME) if [ -x "$chant_before" ]; then CALL; fi ;; esac
`

// OwnHook returns the hook of chant. before is the hook that was moved for it, nil for none.
func OwnHook(name string, before []byte) []byte {
	first, becomes := "#!/bin/sh\n", `exec "$chant_before" "$@"`
	// A shell script is sourced, so that it finds its name and its folder as before.
	if before != nil && Shell(before) {
		becomes = `. "$chant_before"`
		// The script was written for its interpreter, which then reads ours as well.
		if line, _, _ := bytes.Cut(before, []byte("\n")); bytes.HasPrefix(line, []byte("#!")) {
			first = strings.TrimRight(string(line), "\r") + "\n"
		}
	}
	return []byte(first + block(made, name, call+strings.Replace(proceed, "CALL", becomes, 1)))
}

// Part returns a hook for a folder whose scripts another program runs, such as husky: it has no
// interpreter line and runs no other hook.
func Part(name string) []byte { return []byte(block(made, name, call)) }

func block(how, name, text string) string {
	return opening + how + "\n" + strings.ReplaceAll(text, "NAME", name) + closing + "\n"
}

// Insert inserts the block of a hook into a shell script, after its first line if that
// names the interpreter. An existing block is replaced.
func Insert(src []byte, name string) []byte {
	src, _ = Strip(src)
	at := 0
	// The interpreter line must stay the first. What follows it is free: a block at the end is not reached after "exec" or
	// "exit".
	if bytes.HasPrefix(src, []byte("#!")) {
		if at = bytes.IndexByte(src, '\n') + 1; at == 0 {
			return slices.Concat(src, []byte("\n"+block(ended, name, call)))
		}
	}
	return slices.Concat(src[:at], []byte(block("", name, call)), src[at:])
}

// Strip removes the block from a hook. rest is nil if chant created the file and it contains nothing else; found
// reports whether there was a block.
func Strip(src []byte) (rest []byte, found bool) {
	from, how := findOpening(src)
	if from < 0 {
		return src, false
	}
	length := bytes.Index(src[from:], []byte("\n"+closing+"\n"))
	if length < 0 {
		return src, false
	}
	before, after := src[:from], src[from+length+len(closing)+2:]
	switch {
	// The file is removed only if it contains nothing but what chant wrote.
	case how == made && (len(before) == 0 || bytes.HasPrefix(before, []byte("#!")) && bytes.Count(before, []byte("\n")) == 1) && len(after) == 0:
		return nil, true
	case how == ended:
		// The line end before the block was chant's own addition.
		before = bytes.TrimSuffix(before, []byte("\n"))
	}
	return slices.Concat(before, after), true
}

// findOpening finds the first line of a block and its mark, -1 without one.
func findOpening(src []byte) (at int, how string) {
	for line := range bytes.Lines(src) {
		how, opens := strings.CutPrefix(strings.TrimSuffix(string(line), "\n"), opening)
		if opens && slices.Contains([]string{"", made, ended}, how) {
			return at, how
		}
		at += len(line)
	}
	return -1, ""
}

// Shell reports whether a hook is a script for a POSIX shell, which git also uses for scripts
// without an interpreter line.
func Shell(src []byte) bool {
	if bytes.IndexByte(src, 0) >= 0 {
		return false
	}
	line, _, _ := bytes.Cut(src, []byte("\n"))
	rest, named := bytes.CutPrefix(line, []byte("#!"))
	// git runs a hook without an interpreter line as a shell script.
	if !named {
		return true
	}
	words := strings.Fields(string(rest))
	if len(words) > 1 && path.Base(words[0]) == "env" {
		words = words[1:]
	}
	return len(words) > 0 && slices.Contains([]string{"sh", "bash", "dash", "ash", "ksh", "mksh", "busybox"}, path.Base(words[0]))
}
