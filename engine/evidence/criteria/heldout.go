package criteria

import (
	"fmt"
	"slices"

	"chant/engine/spec"
)

// FromHeldOut is the source of a criterion that agents do not see. Its commands, and what they print, are in no report.
const FromHeldOut Source = "held-out"

// HeldOutPlan lists held-out criteria, to be judged like those of start. What their commands are and print is not announced,
// and not kept in a cache.
func HeldOutPlan(all []spec.Criterion, start *spec.File, project spec.Checks) Plan {
	options := start.Checks().CommandOptions.WithDefaults(project.CommandOptions)
	plan := Plan{Variables: options.Env, HeldOut: true}
	for _, c := range all {
		item := Item{ID: c.ID, Number: c.Number, Text: c.Text, Source: FromHeldOut, Guard: keeps().MatchString(c.Text), Tell: c.Tell()}
		for _, line := range c.Commands {
			item.Steps = append(item.Steps, Step{line, options, FromHeldOut})
		}
		plan.Items = append(plan.Items, item)
	}
	return plan
}

// Mask returns verdicts of held-out criteria as everybody may see them: without texts, commands and output. after is the
// number of the criterion before them.
func Mask(verdicts []Verdict, after int) []Verdict {
	var out []Verdict
	for _, v := range verdicts {
		seen := Verdict{
			ID: v.ID, Number: after + v.Number, Text: fmt.Sprintf("held-out criterion %d", v.Number), Source: v.Source, How: v.How,
			Holds: v.Holds, Flaky: v.Flaky, Guard: v.Guard, Proof: v.Proof, Base: v.Base, Tell: v.Tell,
		}
		if !v.Holds {
			seen.Why = "a held-out criterion failed"
			if v.Tell != "" {
				seen.Why += ": " + v.Tell
			}
		}
		out = append(out, seen)
	}
	return out
}

// HeldOut returns the verdicts of held-out criteria.
func HeldOut(verdicts []Verdict) []Verdict {
	return slices.DeleteFunc(slices.Clone(verdicts), func(v Verdict) bool { return v.Source != FromHeldOut })
}

// CountHeldOut counts held-out criteria, as a phrase.
func CountHeldOut(n int) string {
	if n == 1 {
		return "1 held-out criterion"
	}
	return fmt.Sprintf("%d held-out criteria", n)
}
