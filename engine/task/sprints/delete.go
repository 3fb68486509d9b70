package sprints

import (
	"context"
	"fmt"

	"chant/engine"
	"chant/engine/spec/next"
	"chant/engine/spec/sprint"
	"chant/engine/spec/task"
	"chant/engine/store/message"
)

// DeleteInput names the sprint to delete.
type DeleteInput struct {
	Pick
	CleanupMissing bool `json:"cleanup_missing,omitempty" jsonschema:"Take all tasks out of this sprint and others that do not exist"`
}

// DeleteResult says what was deleted.
type DeleteResult struct {
	Status            string            `json:"status"`
	Deleted           bool              `json:"deleted"`
	SprintID          int               `json:"sprint_id"`
	SprintLabel       *string           `json:"sprint_label"`
	RemovedReferences int               `json:"removed_references"`
	UpdatedTasks      int               `json:"updated_tasks"`
	Integrity         *sprint.Integrity `json:"integrity,omitempty"`

	Sentence string `json:"-"` // what happened, for people
}

// Delete removes the file of a sprint in one commit; its text stays in the history, for which uncommitted edits of it
// are committed first. Tasks stay in it unless cleanup_missing is set. Errors: Usage, NotFound; State where git ignores
// the file.
func Delete(ctx context.Context, p *engine.Project, in DeleteInput) (DeleteResult, error) {
	out := DeleteResult{Status: ok, Deleted: true}
	err := withSprintLock(ctx, p, "delete a sprint", func() error {
		f, err := read(p)
		if err != nil {
			return err
		}
		id, err := in.id()
		if err != nil {
			return err
		}
		if !f.exists(id) {
			return notFound(id)
		}
		// Edits that no commit has would be lost with the file.
		if err := keepText(ctx, p, id); err != nil {
			return err
		}
		src, err := p.Store.ReadTree(engine.Home(p), path(id))
		if err != nil {
			return err
		}
		out.SprintID, out.Sentence = id, "Deleted Sprint "+itoa(id)+"."
		// One that cannot be read can be deleted, too.
		if s, err := f.get(id); err == nil {
			out.Sentence = "Deleted " + s.Name() + "."
			if s.Plan.Label != "" {
				out.SprintLabel = &s.Plan.Label
			}
		}
		// The id is never given again, also to a clone that no longer sees the file.
		if err := useID(p, id); err != nil {
			return err
		}
		e := edit{subject: fmt.Sprintf("delete sprint #%d", id), files: []fileEdit{{id: id, old: src}}}
		if e.sprints, err = out.clean(ctx, p, f, in.CleanupMissing); err != nil {
			return err
		}
		return e.commit(ctx, p)
	})
	if err != nil {
		return DeleteResult{}, operationFault(err, "Failed to delete sprint")
	}
	return out, nil
}

// keepText commits the edits of a sprint, so that the history has all of its text. Error: State where git ignores it.
func keepText(ctx context.Context, p *engine.Project, id int) error {
	tracked, err := p.Store.Tracked(ctx)
	if err != nil {
		return err
	}
	// Without history the deletion could not be undone.
	if !tracked {
		return engine.Fail(engine.State, next.Guide.On("sprints"), "git ignores %s, so the text of sprint #%d would be lost", path(id), id)
	}
	_, err = p.Store.CommitText(ctx, path(id), message.Join(fmt.Sprintf("edit sprint #%d", id), nil))
	return err
}

// clean looks for tasks in sprints that do not exist after the deletion, and returns what a cleanup changes.
func (out *DeleteResult) clean(ctx context.Context, p *engine.Project, f files, cleanup bool) (map[string][]int, error) {
	set, err := p.Store.Load(ctx)
	if err != nil {
		return nil, err
	}
	remains := func(id int) bool { return id != out.SprintID && f.exists(id) }
	integrity, kept := sprint.Check((&roster{specs: set.Specs}).sprints(), remains, cleanup)
	if out.Integrity = integrity; integrity != nil && integrity.AutoCleanup != nil {
		out.RemovedReferences, out.UpdatedTasks = integrity.AutoCleanup.RemovedReferences, integrity.AutoCleanup.UpdatedTasks
		out.Sentence += fmt.Sprintf(" Removed %s from %s.", task.WithNoun(out.RemovedReferences, "reference"), task.WithNoun(out.UpdatedTasks, "task"))
	}
	return kept, nil
}
