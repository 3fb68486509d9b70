package guard

import (
	"context"
	"fmt"
	"slices"

	"chant/engine/spec"
	"chant/engine/spec/reviewed"
	"chant/providers/text"
)

// reviewTampering lists the comments of reviews that were added, changed or removed on the branch, where only people
// comment. What the target or home has may have come with a merge.
func reviewTampering(ctx context.Context, g *Guard, start, now *spec.File) ([]string, error) {
	had, have := reviewed.In(start.Doc), reviewed.In(now.Doc)
	added, gone := reviewed.Beyond(have, had), reviewed.Beyond(had, have)
	if len(added) > 0 {
		there, err := g.OnTarget(ctx, "refs/heads/"+g.Job.Target)
		if err != nil {
			return nil, err
		}
		home, err := g.Store.FromHome(g.Job.ID)
		if err != nil {
			home = nil // it exists only on its branch, or cannot be read: then it does not count
		}
		for _, other := range []*spec.File{there, home} {
			if other != nil {
				added = slices.DeleteFunc(added, func(c reviewed.Comment) bool {
					return slices.ContainsFunc(reviewed.In(other.Doc), c.Same)
				})
			}
		}
	}
	var out []string
	for _, c := range added {
		out = append(out, fmt.Sprintf("a comment was written into the review: %s", spec.Echo(text.FirstLine(c.Text))))
	}
	for _, c := range gone {
		out = append(out, fmt.Sprintf("a comment of the review was changed or removed: %s", spec.Echo(text.FirstLine(c.Text))))
	}
	return out, nil
}
