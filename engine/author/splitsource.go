package author

import (
	"context"
	"os"

	"chant/engine"
	"chant/engine/adopted"
	"chant/engine/next"
	"chant/engine/spec"
	"chant/engine/split"
)

// planBySource is the planner of a spec that adopts a folder: its tasks say what the parts are, so no agent is asked. The
// spec's own criteria and commands go to the last part.
func (d *divider) planBySource(_ context.Context, s *spec.File) (split.Plan, error) {
	root, err := os.OpenRoot(engine.Home(d.p))
	if err != nil {
		return split.Plan{}, err
	}
	defer root.Close()
	parts, err := adopted.Divide(root.FS(), s.Fields)
	if err != nil {
		return split.Plan{}, engine.Fail(engine.State, next.Show.On(s.ID), "spec %q cannot be split: %s", s.ID, err)
	}
	parts = openParts(parts)
	if len(parts) < 2 {
		return split.Plan{}, engine.Fail(engine.State, next.Work.On(s.ID), "spec %q cannot be split: no more than one part of %q is still open", s.ID, s.Fields.Source)
	}
	var plan split.Plan
	for _, part := range parts {
		plan.Parts = append(plan.Parts, split.Part{Title: s.Title + ": " + part.Title, Source: part.Part, Criteria: part.Text, After: part.After})
	}
	last := &plan.Parts[len(plan.Parts)-1]
	last.Whole = len(s.Checks().Commands) > 0
	for _, c := range spec.Criteria(s.Doc) {
		last.Own = append(last.Own, spec.OneLine(c.Text))
	}
	if last.Whole || len(last.Own) > 0 {
		last.After = nil
		for i := range len(plan.Parts) - 1 {
			last.After = append(last.After, i)
		}
	}
	return plan, nil
}

// openParts returns the parts that are not done. Nothing waits for those that are.
func openParts(parts []adopted.Part) []adopted.Part {
	at := make([]int, len(parts)) // the new index of each part, -1 for one that is done
	var out []adopted.Part
	for i, part := range parts {
		at[i] = -1
		if part.Done {
			continue
		}
		var after []int
		for _, before := range part.After {
			if at[before] >= 0 {
				after = append(after, at[before])
			}
		}
		part.After = after
		at[i] = len(out)
		out = append(out, part)
	}
	return out
}
