package overview

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/view/overview"
	"chant/engine/view/picture"
	"chant/text"

	"github.com/spf13/cobra"
)

// formats lists the formats of a graph.
func formats() []string { return []string{"text", "mermaid", "dot", "svg"} }

// details lists how much the text of a graph says of a spec: its id, its title too, and its type and labels too.
func details() []string { return []string{"minimal", "titles", "full"} }

// NewDag returns the command `chant dag`.
func NewDag(a *console.App) *cobra.Command {
	var in overview.DagInput
	format, file, detail := formats()[0], "", details()[1]
	c := &cobra.Command{
		Use:   "dag [ID]...",
		Short: "Draw the graph of specs: needs, cycles, missing dependencies",
		Long: `Draw the graph of specs: all, those with a status or label, or one with what it needs and
what needs it. Each spec is below what it needs; lines lead down from what is needed.
Needs that follow from others are left out: a member in order needs the one before it,
and a driver its last members.

--format mermaid, dot and svg write the graph for other programs. The SVG needs no
other file and follows the light or dark scheme of its reader.`,
		Example: `chant dag
chant dag 004 --depth 1
chant dag --no-done --label api
chant dag --format svg -o specs.svg
chant dag --json`,
		RunE: func(c *cobra.Command, args []string) error {
			if !slices.Contains(formats(), format) {
				return engine.Fail(engine.Usage, next.Dag.Help(), "%s", spec.Unknown("format", format, formats()))
			}
			if !slices.Contains(details(), detail) {
				return engine.Fail(engine.Usage, next.Dag.Help(), "%s", spec.Unknown("detail", detail, details()))
			}
			in.IDs = args
			return drawDag(a, c, in, drawing{format, file, detail})
		},
	}
	f := c.Flags()
	f.Var(console.AtLeast(0, &in.Depth), "depth", "with IDs: over at most so many needs, 0 for any number")
	f.StringSliceVarP(&in.Statuses, "status", "s", nil, "only specs in one of these statuses (also ready, blocked, invalid)")
	f.StringSliceVarP(&in.Labels, "label", "l", nil, "only specs with one of these labels")
	f.StringVarP(&in.Type, "type", "t", "", "only specs of this type")
	f.BoolVar(&in.WithoutDone, "no-done", false, "leave out specs for which nothing waits any longer")
	f.StringVarP(&format, "format", "f", format, "one of text, mermaid, dot, svg")
	f.StringVar(&detail, "detail", detail, "how much the text says: minimal, titles or full")
	f.StringVarP(&file, "output", "o", "", "write to this file, completely or not at all")
	complete(c, "status", func(context.Context) []string { return overview.States() })
	complete(c, "label", a.Labels)
	complete(c, "detail", func(context.Context) []string { return details() })
	complete(c, "format", func(context.Context) []string { return formats() })
	return c
}

// drawing is how a graph is drawn.
type drawing struct {
	format, file string // file is "" for the output
	detail       string // of the text
}

// drawDag prints the graph or writes it to a file.
func drawDag(a *console.App, c *cobra.Command, in overview.DagInput, how drawing) error {
	on := a.Canvas()
	if how.file != "" {
		// In a file, nothing is cut and drawings are ASCII.
		on = console.Canvas{}
	}
	render := func(w io.Writer, r overview.DagResult) {
		switch how.format {
		case "mermaid":
			// Do returns the error of the stream.
			_, _ = w.Write(r.Mermaid())
		case "dot":
			_, _ = w.Write(r.DOT())
		case "svg":
			_, _ = w.Write(r.SVG(nil))
		default:
			renderDag(w, r, on, how.detail)
		}
	}
	if how.file == "" {
		return console.Do(a, c, overview.Dag, in, render)
	}
	p, err := a.Open()
	if err != nil {
		return err
	}
	r, err := overview.Dag(c.Context(), p, in)
	if err != nil {
		return err
	}
	var out strings.Builder
	render(text.NewVisibleWriter(&out), r)
	if err := a.WriteFile(how.file, []byte(out.String())); err != nil {
		return err
	}
	if a.JSON {
		return console.Show(a, r, nil)
	}
	return nil
}

// The numbers of lanes beside each other: on a terminal, fewer if it is narrow.
const (
	maxLanes   = 16
	lanesShare = 6 // of the columns, one of so many is for a lane
)

// renderDag draws the graph in lines.
func renderDag(w io.Writer, r overview.DagResult, on console.Canvas, detail string) {
	glyphs, lanes := picture.ASCII(), maxLanes
	if on.Rich {
		glyphs = picture.Unicode()
	}
	if on.Width > 0 {
		lanes = min(lanes, max(on.Width/lanesShare/2, 2))
	}
	lines := r.Lines(lanes, glyphs)
	for from := 0; from < len(lines); {
		to := from + 1
		for to < len(lines) && !lines[to-1].Ended && lines[to].Alone == lines[from].Alone {
			to++
		}
		if from > 0 {
			fmt.Fprintln(w)
		}
		if lines[from].Alone && from > 0 {
			fmt.Fprintln(w, "neither needed nor waiting:")
		}
		renderPart(w, lines[from:to], on, detail)
		from = to
	}
	renderTrouble(w, r)
}

// renderPart prints the lines of specs that are connected, in columns.
func renderPart(w io.Writer, lines []picture.Line, on console.Canvas, detail string) {
	lanes, ids, states := 0, 0, 0
	for _, l := range lines {
		lanes, ids, states = max(lanes, utf8.RuneCountInString(l.Lanes)), max(ids, utf8.RuneCountInString(text.Quote(l.Spec.ID))), max(states, len(l.Spec.State()))
	}
	for _, l := range lines {
		line := fmt.Sprintf("%-*s  %-*s  %-*s  %s", lanes, l.Lanes, ids, text.Quote(l.Spec.ID), states, l.Spec.State(), text.Quote(aboutOf(l.Spec, detail)))
		if len(l.Needs) > 0 {
			line += "  (needs " + strings.Join(l.Needs, ", ") + ")"
		}
		if l.Spec.Cycle {
			line += "  (cycle)"
		}
		fmt.Fprintln(w, fit(strings.TrimRight(line, " "), on))
	}
}

// renderTrouble lists cycles, and what is missing for specs that still need it.
func renderTrouble(w io.Writer, r overview.DagResult) {
	done, by := map[string]bool{}, map[string][]string{}
	for _, s := range r.Specs {
		done[s.ID] = s.Done
	}
	for _, n := range r.Needs {
		// A spec that is done does not need it any more.
		if !done[n.Spec] {
			by[n.Needs] = append(by[n.Needs], n.Spec)
		}
	}
	var trouble []string
	for _, c := range r.Cycles {
		trouble = append(trouble, "cycle: "+strings.Join(c, " -> "))
	}
	for _, id := range r.Missing {
		if len(by[id]) > 0 {
			trouble = append(trouble, "missing: "+id+", needed by "+strings.Join(by[id], ", "))
		}
	}
	if len(trouble) > 0 {
		fmt.Fprintln(w)
	}
	for _, line := range trouble {
		fmt.Fprintln(w, text.Quote(line))
	}
	if r.Returned < r.Total {
		fmt.Fprintf(w, "%d of %d\n", r.Returned, r.Total)
	}
	if r.Total == 0 {
		fmt.Fprintln(w, "no specs")
	}
}

// aboutOf is what a line says of a spec beside its id and state.
func aboutOf(s picture.Spec, detail string) string {
	switch detail {
	case "minimal":
		return s.Error
	case "full":
		return strings.TrimSpace(fmt.Sprintf("%s  [%s]", titleOf(s), strings.Join(append([]string{string(s.Type)}, s.Labels...), ", ")))
	}
	return titleOf(s)
}

func titleOf(s picture.Spec) string {
	switch {
	case s.Error != "":
		return s.Error
	case s.Status == picture.Missing || s.Status == picture.Archived:
		return ""
	}
	return cmp.Or(text.OneLine(s.Title), "(untitled)")
}
