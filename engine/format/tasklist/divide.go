package tasklist

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Part is what one member of a divided list works on. Parts that do not depend on each other, directly or through
// others, can be worked on at the same time.
type Part struct {
	Title     string
	Story     string   // such as "US1", else ""
	Priority  string   // such as "P1", else ""
	Tasks     []string // keys of all tasks, in the order of the list
	Open      []string // keys of those that are not done
	Done      []string // keys of those that are
	DependsOn []int    // indexes of parts, all before this one
}

// Divide returns the parts of a list, those that others depend on first: what comes before the stories, each story,
// and what comes after them; without stories a part for each phase. A part depends on another if a task of it waits for
// one of the other. The error wraps [ErrUndivided] or is a [*CycleError].
func Divide(l List) ([]Part, error) {
	units := l.units()
	switch len(units) {
	case 0:
		return nil, fmt.Errorf("%w: the list has no tasks", ErrUndivided)
	case 1:
		return nil, fmt.Errorf("%w: all tasks (%d) are in one part, %q", ErrUndivided, len(l.Tasks), l.title(units[0]))
	}
	o := newOrder(l, units)
	if err := o.check(l); err != nil {
		return nil, err
	}
	waits := o.unitDependencies(l, units)
	parts := make([]Part, len(units))
	for i, u := range units {
		parts[i] = l.part(u)
	}
	if circle := cycle(waits); circle != nil {
		e := &CycleError{Parts: true}
		for _, part := range circle {
			e.Names = append(e.Names, parts[part].Title)
		}
		return nil, e
	}
	return sorted(parts, waits), nil
}

// unitDependencies returns for each unit those that its tasks wait for.
func (o order) unitDependencies(l List, units []unit) [][]int {
	unitOf := make([]int, len(l.Phases)+1) // by phase
	for i, u := range units {
		for _, phase := range u.phases {
			unitOf[phase+1] = i
		}
	}
	behind := make([][]int, len(o.waits)) // units that a gate represents
	collect := func(units []int, node int) []int {
		for _, before := range o.waits[node] {
			if before < o.tasks {
				units = append(units, unitOf[l.Tasks[before].Phase+1])
			} else {
				units = append(units, behind[before]...)
			}
		}
		slices.Sort(units)
		return slices.Compact(units)
	}
	// A gate waits only for gates before it, so one pass is enough.
	for gate := o.tasks; gate < len(o.waits); gate++ {
		behind[gate] = collect(nil, gate)
	}
	waits := make([][]int, len(units))
	for i, t := range l.Tasks {
		own := unitOf[t.Phase+1]
		waits[own] = collect(waits[own], i)
	}
	for own := range waits {
		// Within a part, the tasks are one work.
		waits[own] = slices.DeleteFunc(waits[own], func(before int) bool { return before == own })
	}
	return waits
}

// sorted returns the parts in an order in which each follows those that it waits for, and otherwise as they are. No
// parts wait for each other.
func sorted(parts []Part, waits [][]int) []Part {
	place := make([]int, len(parts)) // in the result, from 1; 0 is not there yet
	var out []Part
	// Each round takes the first part that is free, so the order of the list stays where it can.
	for len(out) < len(parts) {
		for i := range parts {
			if place[i] > 0 || slices.ContainsFunc(waits[i], func(before int) bool { return place[before] == 0 }) {
				continue
			}
			p := parts[i]
			for _, before := range waits[i] {
				p.DependsOn = append(p.DependsOn, place[before]-1)
			}
			slices.Sort(p.DependsOn)
			out = append(out, p)
			place[i] = len(out)
			break
		}
	}
	return out
}

// part returns the part of a unit, without what it depends on.
func (l List) part(u unit) Part {
	p := Part{Title: l.title(u)}
	for _, phase := range u.phases {
		if u.story {
			p.Story = l.Phases[phase].Story
			p.Priority = cmp.Or(p.Priority, l.Phases[phase].Priority)
		}
	}
	for _, t := range l.Tasks {
		if !slices.Contains(u.phases, t.Phase) {
			continue
		}
		p.Tasks = append(p.Tasks, t.Key)
		if t.Done {
			p.Done = append(p.Done, t.Key)
		} else {
			p.Open = append(p.Open, t.Key)
		}
	}
	return p
}

// title returns the title of a phase, or joins those of several, each once and without what is in brackets at its end.
func (l List) title(u unit) string {
	var titles []string
	for _, phase := range u.phases {
		if phase < 0 {
			continue
		}
		title := l.Phases[phase].Title
		if short, _, found := strings.Cut(title, " ("); found && len(u.phases) > 1 && strings.HasSuffix(title, ")") {
			title = short
		}
		if !slices.Contains(titles, title) {
			titles = append(titles, title)
		}
	}
	return cmp.Or(strings.Join(titles, ", "), "Before the phases")
}
