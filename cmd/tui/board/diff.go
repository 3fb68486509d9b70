package board

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"chant/cmd/tui/prose"
	"chant/engine/view"
)

// drawDiff draws a list of the changed files, and then the change of each.
func drawDiff(r view.PatchesResult, width int) (lines []string, files []int) {
	if len(r.Files) == 0 {
		return []string{prose.Faint.Paint("nothing is committed on its branch")}, nil
	}
	// A copy, because the result is shared.
	r.Files = slices.Clone(r.Files)
	slices.SortStableFunc(r.Files, func(a, b view.FilePatch) int { return cmp.Compare(ofChant(a.Path), ofChant(b.Path)) })
	added, removed := 0, 0
	for _, f := range r.Files {
		added, removed = added+f.Added, removed+f.Removed
	}
	lines = append(lines, prose.Fit(fmt.Sprintf("%s, +%d −%d  (%.7s..%.7s)", count(len(r.Files), "file"), added, removed, r.From, r.To), width))
	for _, f := range r.Files {
		size := prose.Green.Paint(fmt.Sprintf("+%d", f.Added)) + " " + prose.Red.Paint(fmt.Sprintf("−%d", f.Removed))
		lines = append(lines, prose.Fit("  "+prose.Fit(prose.Clean(f.Path), max(10, width-16))+"  "+size, width))
	}
	for _, f := range r.Files {
		lines = append(lines, "")
		files = append(files, len(lines))
		lines = append(lines, prose.Bold.And(prose.Cyan).Paint(prose.Fit(prose.Clean(f.Path), width)))
		lines = append(lines, drawPatch(f.Patch, width)...)
	}
	if r.Cut {
		lines = append(lines, "", "the rest is left out; git diff shows it")
	}
	return lines, files
}

// ofChant is 1 for files of chant, which follow those of the project.
func ofChant(path string) int {
	if strings.HasPrefix(path, ".chant/") {
		return 1
	}
	return 0
}

// drawPatch draws the change of one file, without the lines that name it.
func drawPatch(patch string, width int) []string {
	var out []string
	hunk := false
	for _, line := range prose.Lines(patch) {
		if strings.HasPrefix(line, "@@") {
			hunk = true
		}
		// In a hunk, such lines are changes.
		if !hunk && (strings.HasPrefix(line, "index ") || strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, "+++ ")) {
			continue
		}
		style := styleOfLine(line, hunk)
		for _, piece := range prose.Break(line, width) {
			out = append(out, style.Paint(piece))
		}
	}
	return out
}

func styleOfLine(line string, hunk bool) prose.Style {
	switch {
	case strings.HasPrefix(line, "@@"):
		return prose.Cyan
	case !hunk:
		return prose.Faint
	case strings.HasPrefix(line, "+"):
		return prose.Green
	case strings.HasPrefix(line, "-"):
		return prose.Red
	}
	return prose.None
}

// count is a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
