package tasks

import (
	"context"
	"fmt"
	"slices"

	"chant/engine/spec/task"
	"chant/engine/spec/taskfields"
)

// checkCircles refuses relationships by which a task would belong to itself, or be a duplicate of itself, in one step
// or several. Error: *task.Fault.
func (e *Editor) checkCircles(ctx context.Context, self string, r task.Relationships) error {
	above, err := e.followRelationship(ctx, self, r.Parent, func(r *taskfields.Relationships) string { return r.Parent })
	if err != nil {
		return err
	}
	for _, child := range r.Children {
		if slices.Contains(above, child) {
			return circleFault("parent")
		}
	}
	if _, err = e.followRelationship(ctx, self, r.DuplicateOf, func(r *taskfields.Relationships) string { return r.DuplicateOf }); err != nil {
		return err
	}
	if slices.Contains(above, self) {
		return circleFault("parent")
	}
	return nil
}

// followRelationship lists the specs to which a relationship leads from one to the next. Error: *task.Fault if it leads to self.
func (e *Editor) followRelationship(ctx context.Context, self, from string, next func(*taskfields.Relationships) string) ([]string, error) {
	var seen []string
	// What is stored may already contain a circle, through a merge of two branches.
	for id := from; id != "" && !slices.Contains(seen, id); {
		if id == self {
			return nil, circleFault("relationship")
		}
		seen = append(seen, id)
		s, err := e.Project.Store.Get(ctx, id)
		if err != nil || s.Fields.Relationships == nil {
			// An archived spec, or the end.
			break
		}
		id = next(s.Fields.Relationships)
	}
	return seen, ctx.Err()
}

func circleFault(what string) error {
	return task.Invalid(fmt.Sprintf("Invalid relationships payload: the %s would go in a circle", what))
}
