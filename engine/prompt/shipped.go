package prompt

import (
	"embed"
	"io/fs"
	"path"
	"strings"
)

// Names of shipped prompts that chant itself uses.
const (
	Standard          = "standard"
	Documentation     = "documentation"
	ResearchAnalysis  = "research-analysis"
	ResearchSynthesis = "research-synthesis"
	MergeConflict     = "merge-conflict"
	Verify            = "verify"
	Split             = "split"
	Plan              = "plan"
)

//go:embed prompts/*.md
var files embed.FS

// ShippedNames lists the shipped prompts, in order.
func ShippedNames() []string {
	paths, err := fs.Glob(files, "prompts/*.md")
	if err != nil {
		// The pattern is a constant, so it cannot be wrong.
		return nil
	}
	names := make([]string, len(paths))
	for i, p := range paths {
		names[i] = strings.TrimSuffix(path.Base(p), ".md")
	}
	return names
}

// Shipped returns a shipped prompt. Error: *MissingError.
func Shipped(name string) (Prompt, error) {
	src, err := files.ReadFile("prompts/" + name + ".md")
	if err != nil {
		return Prompt{}, &MissingError{name, "none of that name is built in"}
	}
	p, err := Parse(name, name+".md (shipped)", src)
	p.Shipped = true
	return p, err
}
