package split

import (
	"fmt"
	"slices"
	"strings"

	"chant/engine/spec"
)

// Plan makes a plan of a proposal for a spec. Problems say why it cannot be used.
func (p Proposal) Plan(of *spec.Spec) (Plan, []string) {
	problems := p.stubs()
	after, found := p.references()
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
			part.Criteria = append(part.Criteria, c.line())
		}
		plan.Parts = append(plan.Parts, part)
	}
	plan.straighten()
	plan.cover(of)
	return plan, plan.odd()
}

// references resolves what members depend on to positions, from 0.
func (p Proposal) references() (after [][]int, problems []string) {
	titles := map[string]int{}
	for i, m := range p.Members {
		title := fold(m.Title)
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
				at, known = titles[fold(ref.Title)], slices.ContainsFunc(p.Members, func(o Member) bool { return fold(o.Title) == fold(ref.Title) })
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

// String is the reference as it was written.
func (r Reference) String() string {
	if r.Title != "" {
		return fmt.Sprintf("%q", spec.Echo(r.Title))
	}
	return fmt.Sprint(r.Number)
}

// line is a criterion as a spec has it.
func (c Criterion) line() string {
	text, command := spec.OneLine(c.Text), strings.TrimSpace(c.Command)
	if command == "" || strings.HasSuffix(text, codeSpan("$ "+command)) {
		return text
	}
	return text + " " + codeSpan("$ "+command)
}

// codeSpan is a text as inline code, between more backticks than any run in it has.
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

// fold is a text for comparing.
func fold(text string) string { return strings.ToLower(spec.OneLine(text)) }
