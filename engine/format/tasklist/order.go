package tasklist

import "slices"

// unit is what a list is divided into, in the order of work: what comes before the stories, a story, what comes
// after, or a phase of a list without stories.
type unit struct {
	phases   []int // indexes of phases, -1 for the tasks before the first
	story    bool
	parallel bool // runs beside adjacent units that are parallel too
}

// units returns the phases with tasks in the order of work, joined to units.
func (l List) units() []unit {
	used := make([]bool, len(l.Phases)+1)
	for _, t := range l.Tasks {
		used[t.Phase+1] = true
	}
	var present []int
	first, last := -1, -1 // places of stories in present
	for phase := -1; phase < len(l.Phases); phase++ {
		if !used[phase+1] {
			continue
		}
		if l.kind(phase) == Story {
			if first < 0 {
				first = len(present)
			}
			last = len(present)
		}
		present = append(present, phase)
	}
	if first >= 0 {
		return l.storyUnits(present, first, last)
	}
	var units []unit
	for _, phase := range present {
		units = append(units, unit{phases: []int{phase}, parallel: phase >= 0 && l.Phases[phase].Parallel})
	}
	return units
}

// kind returns the kind of a phase, Other for the tasks before the first.
func (l List) kind(phase int) Kind {
	if phase < 0 {
		return Other
	}
	return l.Phases[phase].Kind
}

// storyUnits joins the phases of a list whose first and last story are at these places of present.
func (l List) storyUnits(present []int, first, last int) []unit {
	var setup, before, rest []int
	var middle []unit
	for place, phase := range present {
		kind := l.kind(phase)
		switch {
		case kind == Setup:
			setup = append(setup, phase)
		case kind == Foundational, kind == Other && place < first:
			before = append(before, phase)
		case kind == Polish, kind == Other && place > last:
			rest = append(rest, phase)
		case kind == Story:
			middle = l.addStory(middle, phase)
		default:
			middle = append(middle, unit{phases: []int{phase}})
		}
	}
	var units []unit
	// Setup comes before everything, wherever the list has it.
	if before = append(setup, before...); len(before) > 0 {
		units = append(units, unit{phases: before})
	}
	units = append(units, middle...)
	if len(rest) > 0 {
		units = append(units, unit{phases: rest})
	}
	return units
}

// addStory adds a phase of a story to the unit of the same story beside it, or as a unit of its own.
func (l List) addStory(units []unit, phase int) []unit {
	for i := len(units) - 1; i >= 0 && units[i].story; i-- {
		if l.Phases[units[i].phases[0]].Story == l.Phases[phase].Story {
			units[i].phases = append(units[i].phases, phase)
			return units
		}
	}
	return append(units, unit{phases: []int{phase}, story: true, parallel: true})
}

// order has the nodes for which each node waits: first the tasks of the list, then gates, which represent several nodes. A gate
// only waits for tasks and for gates before it.
type order struct {
	waits [][]int
	tasks int
}

// step is one of several things that follow each other. It takes the node to wait for, -1 for none, and returns the
// node at its end.
type step struct {
	parallel bool
	lay      func(entry int) int
}

// newOrder returns the order of the tasks of a list.
func newOrder(l List, units []unit) order {
	o := order{waits: make([][]int, len(l.Tasks)), tasks: len(l.Tasks)}
	phases := make([][]int, len(l.Phases)+1) // top tasks
	below := make([][]int, len(l.Tasks))
	for i, t := range l.Tasks {
		// A heading ends every list, so a task is in the phase of the task around it.
		if t.Parent >= 0 {
			below[t.Parent] = append(below[t.Parent], i)
		} else {
			phases[t.Phase+1] = append(phases[t.Phase+1], i)
		}
	}
	var layTasks func(tasks []int) []step
	layTasks = func(tasks []int) []step {
		var steps []step
		for _, i := range tasks {
			steps = append(steps, step{l.Tasks[i].Parallel, func(entry int) int {
				if before := o.chain(layTasks(below[i]), entry); before >= 0 {
					o.waits[i] = append(o.waits[i], before)
				}
				return i
			}})
		}
		return steps
	}
	var all []step
	for _, u := range units {
		all = append(all, step{u.parallel, func(entry int) int {
			for _, phase := range u.phases {
				entry = o.chain(layTasks(phases[phase+1]), entry)
			}
			return entry
		}})
	}
	o.chain(all, -1)
	o.addExplicit(l)
	return o
}

// chain lays steps after a node and returns the node at their end. A parallel step waits for what the first of its
// neighbours waits for.
func (o *order) chain(steps []step, entry int) int {
	var beside []int
	for _, s := range steps {
		if s.parallel {
			if end := s.lay(entry); end != entry {
				// A parallel step waits for what the first of its neighbours waits for.
				beside = append(beside, end)
			}
			continue
		}
		entry, beside = s.lay(o.join(beside, entry)), nil
	}
	return o.join(beside, entry)
}

// join returns a node that waits for all of nodes, or entry if there are none.
func (o *order) join(nodes []int, entry int) int {
	switch len(nodes) {
	case 0:
		return entry
	case 1:
		return nodes[0]
	}
	// A gate represents many nodes: an edge for each pair would be millions for long phases.
	o.waits = append(o.waits, nodes)
	return len(o.waits) - 1
}

// addExplicit adds the dependencies that tasks name.
func (o *order) addExplicit(l List) {
	named := map[string][]int{} // tasks by ID and by story
	for i, t := range l.Tasks {
		for _, name := range slices.Compact([]string{t.ID, t.Story}) {
			if name != "" {
				named[name] = append(named[name], i)
			}
		}
	}
	gates := map[string]int{}
	for i, t := range l.Tasks {
		for _, name := range t.DependsOn {
			gate, made := gates[name]
			if !made {
				gate = o.join(named[name], -1)
				gates[name] = gate
			}
			if gate >= 0 && !slices.Contains(o.waits[i], gate) {
				o.waits[i] = append(o.waits[i], gate)
			}
		}
	}
}
