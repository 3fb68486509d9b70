package split

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"chant/engine/spec"
)

// Plan returns the plan of a proposal for a spec. Problems say why it cannot be used.
func (p Proposal) Plan(of *spec.File) (Plan, []string) {
	var problems []string
	if len(p.Members) < 2 {
		problems = []string{"there are fewer than two members"}
	}
	// All faults are named at once, since each correction costs a run of the agent.
	faults := p.faults()
	for i := range p.Members {
		problems = append(problems, faults[i]...)
	}
	if len(problems) > 0 {
		return Plan{}, problems
	}
	plan := Plan{}
	for i, m := range p.Members {
		part := m.part()
		// The faults above have named what is wrong with the references.
		part.After, _ = p.references(i)
		plan.Parts = append(plan.Parts, part)
	}
	plan.breakCycles()
	plan.assignRest(of)
	return plan, plan.misreadParts()
}

// PlanOfRest is Plan without the members that cannot be used. The criteria of the spec that these had go to others.
func (p Proposal) PlanOfRest(of *spec.File) (Plan, []string) {
	faults := p.faults()
	if len(p.Members)-len(faults) < 2 {
		return Plan{}, []string{"fewer than two of its members can be used"}
	}
	// Their numbers afterwards, 0 for those that are left out.
	moved := make([]int, len(p.Members))
	var rest Proposal
	var left []string
	for i, m := range p.Members {
		if why := faults[i]; len(why) > 0 {
			left = append(left, fmt.Sprintf("member %d %q was left out: %s", i+1, spec.Echo(m.Title), strings.Join(why, "; ")))
			continue
		}
		rest.Members = append(rest.Members, m)
		moved[i] = len(rest.Members)
	}
	// The references can only be renumbered once it is known who remains.
	for i, m := range p.Members {
		if moved[i] == 0 {
			continue
		}
		after, _ := p.references(i)
		m.DependsOn = nil
		for _, at := range after {
			// A member that is left out cannot be waited for.
			if moved[at] > 0 {
				m.DependsOn = append(m.DependsOn, Reference{Number: moved[at]})
			}
		}
		rest.Members[moved[i]-1] = m
	}
	plan, problems := rest.Plan(of)
	plan.Repaired = append(left, plan.Repaired...)
	return plan, problems
}

// Correct returns the proposal with the members of another answer in the place of those that cannot be used: those with
// their titles, else in their order. An answer with all members replaces it.
func (p Proposal) Correct(answer Proposal) Proposal {
	faults := p.faults()
	// Nothing of the first proposal is worth keeping, or nothing is missing in the second.
	if len(answer.Members) >= len(p.Members) || len(faults) == len(p.Members) {
		return answer
	}
	out := Proposal{Members: slices.Clone(p.Members), schemaProblems: maps.Clone(p.schemaProblems)}
	used := make([]bool, len(answer.Members))
	put := func(at, from int) {
		out.Members[at], used[from] = answer.Members[from], true
		delete(out.schemaProblems, at)
		delete(faults, at)
		if why := answer.schemaProblems[from]; why != nil {
			out.schemaProblems[at] = why
		}
	}
	for _, at := range slices.Sorted(maps.Keys(faults)) {
		title := normalize(p.Members[at].Title)
		// Agents repeat titles more reliably than they keep an order.
		if from := slices.IndexFunc(answer.Members, func(m Member) bool { return title != "" && normalize(m.Title) == title }); from >= 0 && !used[from] {
			put(at, from)
		}
	}
	for from := range answer.Members {
		if open := slices.Sorted(maps.Keys(faults)); !used[from] && len(open) > 0 {
			put(open[0], from)
		}
	}
	return out
}

// PartlyUsable reports whether some members can be used as they are, and others not.
func (p Proposal) PartlyUsable() bool {
	n := len(p.faults())
	return n > 0 && n < len(p.Members)
}

// faults are the reasons for which members cannot be used, by index; the others have none.
func (p Proposal) faults() map[int][]string {
	out := map[int][]string{}
	titles := map[string]int{}
	for i, m := range p.Members {
		why := slices.Clone(p.schemaProblems[i])
		if why == nil {
			why = m.problems(i)
			// A title is how other members and people refer to a member.
			if first, twice := titles[normalize(m.Title)]; twice {
				why = append(why, fmt.Sprintf("members %d and %d have the same title", first+1, i+1))
			} else {
				titles[normalize(m.Title)] = i
			}
			_, unknown := p.references(i)
			why = append(why, unknown...)
		}
		if len(why) == 0 {
			why = m.part().misreadProblems(i)
		}
		if len(why) > 0 {
			out[i] = why
		}
	}
	return out
}

// part is the future member, without what it waits for.
func (m Member) part() Part {
	part := Part{Title: spec.OneLine(m.Title), Text: strings.TrimSpace(m.Description)}
	for _, file := range m.TargetFiles {
		part.Files = append(part.Files, strings.TrimSpace(file))
	}
	for _, c := range m.Criteria {
		part.Criteria = append(part.Criteria, c.Line())
	}
	return part
}

// references returns the indexes of the members on which a member depends.
func (p Proposal) references(i int) (after []int, problems []string) {
	for _, ref := range p.Members[i].DependsOn {
		at, known := ref.Number-1, ref.Number <= len(p.Members)
		if ref.Title != "" {
			at = slices.IndexFunc(p.Members, func(o Member) bool { return normalize(o.Title) == normalize(ref.Title) })
			known = at >= 0
		}
		if !known {
			problems = append(problems, fmt.Sprintf("member %d depends on %s, which is not a member", i+1, ref))
			continue
		}
		after = append(after, at)
	}
	return after, problems
}

// String returns the reference as it was written.
func (r Reference) String() string {
	if r.Title != "" {
		return fmt.Sprintf("%q", spec.Echo(r.Title))
	}
	return fmt.Sprint(r.Number)
}

// Line returns the criterion as it is written in a spec.
func (c Criterion) Line() string {
	text, command := spec.OneLine(c.Text), strings.TrimSpace(c.Command)
	// The agent may have written the command in the text already.
	if command == "" || strings.HasSuffix(text, codeSpan("$ "+command)) {
		return text
	}
	return text + " " + codeSpan("$ "+command)
}

// codeSpan returns a text as inline code, between more backticks than any run in it has.
func codeSpan(text string) string {
	ticks := "`"
	for strings.Contains(text, ticks) {
		ticks += "`"
	}
	if len(ticks) == 1 {
		return ticks + text + ticks
	}
	return ticks + " " + text + " " + ticks
}

// normalize returns a text for comparison.
func normalize(text string) string { return strings.ToLower(spec.OneLine(text)) }
