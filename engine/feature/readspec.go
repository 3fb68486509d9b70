package feature

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"chant/engine"
	"chant/engine/format/adopted"
	"chant/engine/format/speckit"
	"chant/engine/spec/next"
)

// Artifacts lists the documents that ReadSpec knows.
func Artifacts() []string { return speckit.Artifacts() }

// ReadSpecInput names a document.
type ReadSpecInput struct {
	Artifact string `json:"artifact" jsonschema:"Artifact to read" schema:"enum=spec|plan|tasks|checklist|analysis"`
}

// ReadSpecResult is the document.
type ReadSpecResult struct {
	Artifact string   `json:"artifact"`
	Files    []string `json:"files"` // that it is in, from the top of the worktree
	Text     string   `json:"text"`
}

// ReadSpec reads a document of the feature that the caller's worktree is about. The spec of a change of OpenSpec is its
// proposal.md, and the plan its design.md. Errors: NotFound without a feature or without the document.
func ReadSpec(ctx context.Context, p *engine.Project, in ReadSpecInput) (ReadSpecResult, error) {
	if !slices.Contains(Artifacts(), in.Artifact) {
		return ReadSpecResult{}, errNotAmong("artifact", in.Artifact, Artifacts())
	}
	w, err := openWorktree(ctx, p)
	if err != nil {
		return ReadSpecResult{}, engine.Wrap(err, "")
	}
	result, err := w.read(in.Artifact)
	return engine.Done(result, errors.Join(err, w.close()), "")
}

func (w *worktree) read(artifact string) (ReadSpecResult, error) {
	missing := func(name string) error {
		return contractError(engine.NotFound, next.Guide.On("feature"), fmt.Sprintf("Artifact '%s' not found. Feature context: %s", artifact, name))
	}
	if w.dir == "" {
		return ReadSpecResult{}, missing("None")
	}
	_, name, _ := w.describe()
	src, files, err := w.artifact(artifact)
	if _, absent := errors.AsType[*speckit.NotFoundError](err); absent || errors.Is(err, fs.ErrNotExist) {
		return ReadSpecResult{}, missing(name)
	}
	if err != nil {
		return ReadSpecResult{}, engine.Fail(engine.Invalid, next.Step{}, "could not read %s of %q: %s", artifact, w.dir, err)
	}
	return ReadSpecResult{Artifact: artifact, Files: files, Text: string(src)}, nil
}

// artifact reads a document by the names that its tool has for it.
func (w *worktree) artifact(name string) ([]byte, []string, error) {
	own := map[string]string{"spec": "proposal.md", "plan": "design.md"}[name]
	// A document without a name of its own is called as in spec-kit.
	if own == "" || adopted.KindOf(w.dir) != adopted.OpenSpec {
		return speckit.Artifact(w, w.dir, name)
	}
	file := path.Join(w.dir, own)
	src, err := readFile(w, file)
	return src, []string{file}, err
}
