package tasks

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/task"
	"chant/engine/spec/taskfields"
	"chant/engine/store/disk"
	"chant/markdown"
)

// ReferenceInput is a reference of a task.
type ReferenceInput struct {
	ID      string `json:"id" jsonschema:"Task, such as AUTH-12, or spec id"`
	Project string `json:"project,omitempty" jsonschema:"Prefix, for an id that is only a number"`
	Kind    string `json:"kind" jsonschema:"link, file, code, jira or github"`
	Value   string `json:"value" jsonschema:"URL, path, path#start-end, PROJ-1 or owner/repo#1"`
}

// ReferenceResult is a task after a reference was added or removed.
type ReferenceResult struct {
	Status  string    `json:"status"` // ok
	Action  string    `json:"action"` // add or remove
	Kind    string    `json:"kind"`
	Value   string    `json:"value"`
	Changed bool      `json:"changed"` // false if the task already had it, or did not have it
	Task    task.Task `json:"task"`
}

// ReferenceAdd adds a reference to a task that does not have it. Errors: Usage for an unknown kind or a value that is not
// allowed, NotFound.
func ReferenceAdd(ctx context.Context, p *engine.Project, in ReferenceInput) (ReferenceResult, error) {
	return changeReference(ctx, p, in, "add")
}

// ReferenceRemove removes a reference from a task that has it. Errors: those of ReferenceAdd.
func ReferenceRemove(ctx context.Context, p *engine.Project, in ReferenceInput) (ReferenceResult, error) {
	return changeReference(ctx, p, in, "remove")
}

func changeReference(ctx context.Context, p *engine.Project, in ReferenceInput, action string) (ReferenceResult, error) {
	r, err := readReference(p, in.Kind, in.Value, action)
	if err != nil {
		return ReferenceResult{}, asEngineError(err, "")
	}
	board, id, err := boardFor(ctx, p, in.ID, in.Project)
	if err != nil {
		return ReferenceResult{}, err
	}
	changed := map[string]bool{}
	t, err := editOne(ctx, p, board, id, "reference", referencePlan(r, action, changed))
	if err != nil {
		return ReferenceResult{}, err
	}
	return ReferenceResult{"ok", action, r.Kind, r.Value, changed[t.Spec], t}, nil
}

// readReference checks a reference. One that is to be removed may name a file that is gone.
func readReference(p *engine.Project, kind, value, action string) (taskfields.Reference, error) {
	if kind == "" {
		return taskfields.Reference{}, task.Invalid("Missing kind")
	}
	if value == "" {
		return taskfields.Reference{}, task.Invalid("Missing value")
	}
	lines := fileLines(p)
	// A reference to a file that was deleted can still be removed.
	if action == "remove" {
		lines = func(string) (int, error) { return 1 << 30, nil }
	}
	return task.NormalizeReference(kind, value, lines)
}

// fileLines counts the lines of files in the checkout of the caller.
func fileLines(p *engine.Project) task.FileLines {
	return func(name string) (int, error) {
		top := p.Repo.Dir()
		full := filepath.Join(top, filepath.FromSlash(name))
		// The number of lines of a file elsewhere is not the caller's to learn.
		if !disk.Within(top, full) {
			return 0, os.ErrNotExist
		}
		content, err := os.ReadFile(full)
		if err != nil {
			return 0, err
		}
		n := bytes.Count(content, []byte("\n"))
		// The last line may have no end.
		if len(content) > 0 && content[len(content)-1] != '\n' {
			n++
		}
		return n, nil
	}
}

// referencePlan adds or removes a reference, and records which specs changed.
func referencePlan(r taskfields.Reference, action string, changed map[string]bool) Plan {
	return func(ctx context.Context, e *Editor, s *spec.File) error {
		return e.editNotes(ctx, s, func(n *taskfields.Notes) ([]markdown.Edit, error) {
			same := func(have taskfields.Reference) bool { return task.SameReference(have, r) }
			has := slices.ContainsFunc(n.References, same)
			switch {
			case has == (action == "add"):
				return nil, nil
			case has:
				n.References = slices.DeleteFunc(n.References, same)
			default:
				n.References = append(n.References, r)
			}
			changed[s.ID] = true
			return []markdown.Edit{listEdit("references", n.References)}, nil
		})
	}
}
