package split

import (
	"fmt"
	"slices"
	"strings"

	"chant/engine/spec"
)

// Plan returns the plan of a proposal for a spec. Problems say why it cannot be used.
func (p Proposal) Plan(of *spec.File) (Plan, []string) {
	problems := p.findStubs()
	after, found := p.resolveReferences()
	if problems = append(problems, found...); len(problems) > 0 {
		return Plan{}, problems
	}
	plan := Plan{}
	for i, m := range p.Members {
		part := Part{Title: spec.OneLine(m.Title), Text: strings.TrimSpace(m.Description), After: after[i]}
		for _, file := range m.TargetFiles {
			part.Files = append(part.Files, strings.TrimSpace(file))
		}
		for _, c := range m.Criteria {
			part.Criteria = append(part.Criteria, c.markdownLine())
		}
		plan.Parts = append(plan.Parts, part)
	}
	plan.breakCycles()
	plan.assignRest(of)
	return plan, plan.misreadParts()
}

// resolveReferences returns the indexes of the members on which each member depends.
func (p Proposal) resolveReferences() (after [][]int, problems []string) {
	titles := map[string]int{}
	for i, m := range p.Members {
		title := normalize(m.Title)
		if first, twice := titles[title]; twice {
			problems = append(problems, fmt.Sprintf("members %d and %d have the same title", first+1, i+1))
		}
		titles[title] = i
	}
	after = make([][]int, len(p.Members))
	for i, m := range p.Members {
		for _, ref := range m.DependsOn {
			at, known := ref.Number-1, ref.Number <= len(p.Members)
			if ref.Title != "" {
				at, known = titles[normalize(ref.Title)], slices.ContainsFunc(p.Members, func(o Member) bool { return normalize(o.Title) == normalize(ref.Title) })
			}
			if !known {
				problems = append(problems, fmt.Sprintf("member %d depends on %s, which is not a member", i+1, ref))
				continue
			}
			after[i] = append(after[i], at)
		}
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

// markdownLine returns the criterion as it is written in a spec.
func (c Criterion) markdownLine() string {
	text, command := spec.OneLine(c.Text), strings.TrimSpace(c.Command)
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
