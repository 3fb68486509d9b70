package setup

import (
	"bytes"
	"context"
	"strings"

	"chant/engine/store"
)

// topIgnore is the file of ignore rules in the top of a repository.
const topIgnore = ".gitignore"

// planIgnored plans the rules for local state in the .gitignore of the top. Git needs none there: .chant has a .gitignore
// of its own. They are for programs that read only that of the top, such as formatters, which would otherwise change the
// files in worktrees of runs.
func (i *initializer) planIgnored(context.Context) error {
	if !i.in.GitIgnore {
		return nil
	}
	var ours strings.Builder
	for rule := range strings.Lines(ignoreRules) {
		ours.WriteString("/" + store.Dir + rule)
	}
	return i.planFile(topIgnore, []byte(ours.String()), mergeRules)
}

// mergeRules adds the rules that a file lacks below a comment, with its line ends. What is there stays byte for byte.
func mergeRules(_ string, have, ours []byte) ([]byte, error) {
	newline := "\n"
	// The file keeps its line ends.
	if bytes.Contains(have, []byte("\r\n")) {
		newline = "\r\n"
	}
	known := map[string]bool{}
	for line := range bytes.Lines(have) {
		known[string(bytes.TrimSpace(line))] = true
	}
	var missing strings.Builder
	for rule := range strings.Lines(string(ours)) {
		if rule = strings.TrimSpace(rule); !known[rule] {
			missing.WriteString(rule + newline)
		}
	}
	if missing.Len() == 0 {
		return have, nil
	}
	var out bytes.Buffer
	out.Write(have)
	if len(have) > 0 {
		if !bytes.HasSuffix(have, []byte("\n")) {
			out.WriteString(newline)
		}
		out.WriteString(newline)
	}
	out.WriteString("# Local state of chant" + newline + missing.String())
	return out.Bytes(), nil
}
