package cmd

import (
	"bytes"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"sync"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/spec/next"

	"github.com/spf13/cobra"
)

// guidePages hold the manual, a page each topic, whose first line is its title.
//
//go:embed guide/*.md
var guidePages embed.FS

// testNames matches the comments that name the tests of what a line of the manual says.
var testNames = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(` *<!-- Test.*? -->`) })

// flagsPlace is where a page of the manual gets the table of flags.
const flagsPlace = "{{flags}}"

// guideTopicsResult is the result of `chant guide --json`.
type guideTopicsResult struct {
	Topics []guideTopic `json:"topics"`
	engine.Page
}

// guideTextResult is the result of `chant guide TOPIC --json`.
type guideTextResult struct {
	Text string `json:"text"`
}

// guideTopic is one page of the manual.
type guideTopic struct {
	Name  string `json:"name"`
	Title string `json:"title"`
}

func newGuide(a *console.App) *cobra.Command {
	return &cobra.Command{
		Use:     "guide [TOPIC]",
		Short:   "Read the manual, by topic",
		Example: "chant guide\nchant guide specs",
		Args:    cobra.MaximumNArgs(1),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var out []string
			for _, t := range guideTopics() {
				out = append(out, cobra.CompletionWithDesc(t.Name, t.Title))
			}
			return out[:len(out)*(1-len(args))], cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			on := a.Canvas()
			if len(args) == 0 {
				topics := guideTopics()
				return console.Page(a, on, guideTopicsResult{topics, engine.Whole(len(topics))}, renderTopics)
			}
			text, err := guidePages.ReadFile("guide/" + args[0] + ".md")
			if err != nil {
				return &engine.Error{Code: engine.NotFound, Next: next.Guide.On(), Message: fmt.Sprintf("the manual has no topic %q", args[0])}
			}
			if bytes.Contains(text, []byte(flagsPlace)) {
				text = bytes.Replace(text, []byte(flagsPlace), []byte(wordsPage(c.Root())), 1)
			}
			// The comments are for the tests of the manual.
			return console.Page(a, on, guideTextResult{testNames().ReplaceAllString(string(text), "")}, func(w io.Writer, r guideTextResult) {
				fmt.Fprint(w, on.Markdown(r.Text))
			})
		},
	}
}

// guideTopics lists the pages by name.
func guideTopics() []guideTopic {
	names, err := fs.Glob(guidePages, "guide/*.md")
	if err != nil {
		// The pattern is a constant, so it cannot be wrong.
		return nil
	}
	var out []guideTopic
	for _, name := range names {
		text, err := guidePages.ReadFile(name)
		if err != nil {
			// The pages are part of the program, so this does not happen.
			continue
		}
		title, _, _ := strings.Cut(strings.TrimPrefix(string(text), "# "), "\n")
		out = append(out, guideTopic{strings.TrimSuffix(path.Base(name), ".md"), title})
	}
	return out
}

func renderTopics(w io.Writer, r guideTopicsResult) {
	for _, t := range r.Topics {
		fmt.Fprintf(w, "%-10s %s\n", t.Name, t.Title)
	}
}
