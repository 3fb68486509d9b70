package view

import (
	"context"
	"strings"

	"chant/engine"
	"chant/gitops"
)

// PatchesInput names a spec.
type PatchesInput struct {
	ID string `json:"id" jsonschema:"Spec ID (full or partial)"`
}

// PatchesResult is what the work of a spec changes, as a text for each file.
type PatchesResult struct {
	ID    string      `json:"id"`
	From  string      `json:"from"` // commits
	To    string      `json:"to"`
	Files []FilePatch `json:"files"`
	Cut   bool        `json:"cut,omitempty"` // patches behind the limit were left out
}

// FilePatch is the change of one file.
type FilePatch struct {
	Path    string `json:"path"`
	Added   int    `json:"added"`   // lines
	Removed int    `json:"removed"` // lines
	Patch   string `json:"patch"`   // in git's format, without its first line
}

// maxPatches is how many bytes of patches are returned.
const maxPatches = 4 << 20

// Patches is Diff with the patch of each file. Errors: those of Diff.
func Patches(ctx context.Context, p *engine.Project, in PatchesInput) (PatchesResult, error) {
	d, err := Diff(ctx, p, DiffInput{ID: in.ID, Text: true})
	if err != nil {
		return PatchesResult{}, err
	}
	r := PatchesResult{ID: d.ID, From: d.From, To: d.To}
	r.Files, r.Cut = joinPatches(d.Files, string(d.Patch), maxPatches)
	return r, nil
}

// joinPatches gives each file its part of a patch, which has them in the same order. Parts behind most bytes are left out,
// which cut reports.
func joinPatches(files []gitops.FileDiff, patch string, most int) (out []FilePatch, cut bool) {
	parts := splitPatch(patch)
	out, size := make([]FilePatch, 0, len(files)), 0
	for i, f := range files {
		one := FilePatch{Path: f.Path, Added: f.Added, Removed: f.Removed}
		// A patch is left out as a whole, because a part of one cannot be read as a patch.
		if i < len(parts) && size+len(parts[i]) <= most {
			one.Patch = parts[i]
			size += len(parts[i])
		} else {
			cut = true
		}
		out = append(out, one)
	}
	return out, cut
}

// splitPatch divides a patch into its files, each without its first line.
func splitPatch(patch string) []string {
	const begin = "diff --git "
	var parts []string
	for patch != "" {
		// A line of a patch begins with a blank, + or -, so only a head can begin like this.
		part := patch
		if end := strings.Index(patch, "\n"+begin); end >= 0 {
			part = patch[:end+1]
		}
		patch = patch[len(part):]
		if head, rest, _ := strings.Cut(part, "\n"); strings.HasPrefix(head, begin) {
			parts = append(parts, rest)
		}
	}
	return parts
}
