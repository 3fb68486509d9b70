package cmd

import (
	"strings"
	"testing"

	"chant/engine/author/commands"
	"chant/engine/format/climpt"

	"github.com/alecthomas/assert/v2"
)

func TestNextWords(t *testing.T) {
	t.Parallel()
	var list []commands.Listed
	for _, line := range []string{"git merge branch: Merge it", "git merge tag: Merge a tag", "git list branch: List them", "go test all: Test all"} {
		name, about, _ := strings.Cut(line, ": ")
		words := strings.Fields(name)
		list = append(list, commands.Listed{Command: climpt.Command{Name: climpt.Name{C1: words[0], C2: words[1], C3: words[2]}, Description: about}})
	}
	for args, want := range map[string]string{
		"":          "git\t3 commands: merge, list|go\tTest all",
		"git":       "merge\t2 commands: branch, tag|list\tList them",
		"git merge": "branch\tMerge it|tag\tMerge a tag",
		"no":        "",
	} {
		assert.Equal(t, want, strings.Join(nextWords(list, strings.Fields(args)), "|"), "%q", args)
	}
}
