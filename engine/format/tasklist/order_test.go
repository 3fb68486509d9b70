package tasklist

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// arrows writes a graph as "b<a c<a,b".
func arrows(graph map[string][]string) string {
	var out []string
	for _, key := range slices.Sorted(maps.Keys(graph)) {
		out = append(out, key+"<"+strings.Join(graph[key], ","))
	}
	return strings.Join(out, " ")
}

// lines writes a list: "# x" is a heading of a phase, other words are IDs with marks.
func lines(text string) []byte {
	var out []string
	for line := range strings.SplitSeq(text, "; ") {
		switch {
		case strings.HasPrefix(line, "#"):
			out = append(out, "", "#"+line, "")
		default:
			indent := len(line) - len(strings.TrimLeft(line, " "))
			mark := "- [ ] "
			if rest, done := strings.CutPrefix(line[indent:], "x "); done {
				line, mark = line[:indent]+rest, "- [x] "
			}
			out = append(out, line[:indent]+mark+line[indent:]+" do it")
		}
	}
	return []byte(strings.Join(out, "\n") + "\n")
}

// graphOf returns for each task, by key, the keys of the tasks that must be done before it: those right before it in the
// order that the package comment describes, and those that it names. Every task has an entry. The error is a
// [*CycleError].
func graphOf(l List) (map[string][]string, error) {
	o := newOrder(l, l.units())
	if err := o.check(l); err != nil {
		return nil, err
	}
	behind := make([][]int, len(o.waits)) // tasks that a gate stands for
	graph := make(map[string][]string, len(l.Tasks))
	for gate := o.tasks; gate < len(o.waits); gate++ {
		behind[gate] = o.expand(gate, behind)
	}
	for i, t := range l.Tasks {
		keys := []string{}
		for _, before := range o.expand(i, behind) {
			keys = append(keys, l.Tasks[before].Key)
		}
		graph[t.Key] = keys
	}
	return graph, nil
}

// expand returns the tasks that a node waits for, in the order of the list. The gates before it are known.
func (o order) expand(node int, behind [][]int) []int {
	var tasks []int
	for _, before := range o.waits[node] {
		if before < o.tasks {
			tasks = append(tasks, before)
		} else {
			tasks = append(tasks, behind[before]...)
		}
	}
	slices.Sort(tasks)
	return slices.Compact(tasks)
}

func TestGraph(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, list, want string }{
		{"empty", "# Phase 1: Setup", ""},
		{"sequence", "T1; T2; T3", "T1< T2<T1 T3<T2"},
		{"parallel", "T1; T2 [P]; T3 [P]; T4; T5 [P]", "T1< T2<T1 T3<T1 T4<T2,T3 T5<T4"},
		{"parallel first", "T1 [P]; T2 [P]; T3", "T1< T2< T3<T1,T2"},
		{"groups", "# 1. A; 1.1; 1.2; # 2. B; 2.1", "1.1< 1.2<1.1 2.1<1.2"},
		{"parallel ends", "# 1. A; T1 [P]; T2 [P]; # 2. B; T3 [P]; T4 [P]", "T1< T2< T3<T1,T2 T4<T1,T2"},
		{"parallel groups", "# 1. A; T1; # 2. B [P]; T2; # 3. C [P]; T3; # 4. D; T4", "T1< T2<T1 T3<T1 T4<T2,T3"},
		{"nested", "T1; T2;   T3;   T4; T5", "T1< T2<T4 T3<T1 T4<T3 T5<T2"},
		{"nested parallel", "T1;   T2 [P];   T3 [P]; T4", "T1<T2,T3 T2< T3< T4<T1"},
		{"before the phases", "T1; # 1. A; T2", "T1< T2<T1"},
		{"empty phase between", "# 1. A; T1; # 2. B; # 3. C; T2", "T1< T2<T1"},
		{"stories", "# Phase 1: Setup; T1; # Phase 2: Foundational; T2; # Phase 3: User Story 1 - A; T3; T4; # Phase 4: User Story 2 - B; T5; # Phase 5: Polish; T6",
			"T1< T2<T1 T3<T2 T4<T3 T5<T2 T6<T4,T5"},
		{"stories out of order", "# Phase 1: Polish; T1; # Phase 2: User Story 1 - A; T2; # Phase 3: Foundational; T3; # Phase 4: Setup; T4", "T1<T2 T2<T3 T3<T4 T4<"},
		{"only stories", "# Phase 1: User Story 1 - A; T1; # Phase 2: User Story 2 - B; T2", "T1< T2<"},
		{"a phase between stories", "# Phase 1: US1 - A; T1; # Phase 2: US2 - B; T2; # Phase 3: Merge; T3; # Phase 4: US3 - C; T4; # Phase 5: US4 - D; T5", "T1< T2< T3<T1,T2 T4<T3 T5<T3"},
		{"other phases around stories", "T1; # Phase 1: Data; T2; # Phase 2: US1 - A; T3; # Phase 3: Admin; T4; # Phase 4: Polish; T5", "T1< T2<T1 T3<T2 T4<T3 T5<T4"},
		{"a story in two phases", "# Phase 1: US1 - A; T1; # Phase 2: US2 - B; T2; # Phase 3: US1 - A again; T3", "T1< T2< T3<T1"},
		{"explicit", "# Phase 1: US1 - A; T1; # Phase 2: US2 - B; T2; T3 (depends on T1)", "T1< T2< T3<T1,T2"},
		{"explicit story", "# Phase 1: US1 - A; T1; T2; # Phase 2: US2 - B; T3 (depends on US1)", "T1< T2<T1 T3<T1,T2"},
		{"explicit again", "T1; T2 (depends on T1)", "T1< T2<T1"},
		{"explicit in code", "T1; T2; T3 (depends on `T1`, `T2`)", "T1< T2<T1 T3<T1,T2"},
		{"in a command", "# Phase 1: US1 - A; T1 it holds `$ grep 'depends on US2, 1.2' a`; # Phase 2: US2 - B; T2", "T1< T2<"},
		{"explicit unknown", "T1; T2 (depends on T9)", "T1< T2<T1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			graph, err := graphOf(Parse(lines(tt.list)))
			got := arrows(graph)
			assert.NoError(t, err)
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestGraph_cycle(t *testing.T) {
	t.Parallel()
	tests := []struct{ list, want string }{
		{"T1 (depends on T1)", "tasks wait for each other: T1 -> T1"},
		{"T0; T1 (depends on T3); T2; T3; T4", "tasks wait for each other: T1 -> T3 -> T2 -> T1"},
		{"# Phase 1: Setup; T1 (depends on T2); # Phase 2: US1 - A; T2", "tasks wait for each other: T1 -> T2 -> T1"},
		{"# Phase 1: US1 - A; T1 (depends on US1)", "tasks wait for each other: T1 -> T1"},
	}
	for _, tt := range tests {
		l := Parse(lines(tt.list))
		graph, err := graphOf(l)
		_, ok := errors.AsType[*CycleError](err)
		assert.True(t, ok, "%s: %v, %v, want %q", tt.list, graph, err, tt.want)
		assert.Equal(t, tt.want, err.Error(), "%s", tt.list)
		assert.True(t, graph == nil, "%s: %v, %v, want %q", tt.list, graph, err, tt.want)
	}
	l := Parse(lines("x T0; T1 (depends on T3); T2; T3"))
	if next := Next(l); next != nil {
		t.Errorf("next %s, though all wait for each other", next.Key)
	}
}

func TestNext(t *testing.T) {
	t.Parallel()
	tests := []struct{ list, want string }{
		{"T1; T2", "T1"},
		{"x T1; T2", "T2"},
		{"x T1; x T2", ""},
		{"T1 (depends on T2); # 2. B; T2", ""},
		{"T1 [P] (depends on T2); T2 [P]", "T2"},
		{"x T1; T2;   x T3;   T4", "T4"},
		{"x T1; T2;   x T3;   x T4", "T2"},
		{"# Phase 1: Setup; x T1; # Phase 2: US1 - A; T2 (depends on T3); # Phase 3: US2 - B; T3", "T3"},
		{"# Phase 1: Polish; T1; # Phase 2: US1 - A; T2", "T2"},
		{"# Phase 1: Setup; x T1 [P]; T2 [P]; # Phase 2: US1 - A; T3", "T2"},
	}
	for _, tt := range tests {
		got := ""
		if next := Next(Parse(lines(tt.list))); next != nil {
			got = next.Key
		}
		assert.Equal(t, tt.want, got, "%s", tt.list)
	}
}

func TestDivide(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, list, want string }{
		{"stories", "T0; # Phase 1: Setup (x); T1; # Phase 2: Foundational (y); T2; # Phase 3: User Story 1 - A (Priority: P1); x T3; T4; # Phase 4: User Story 2 - B; T5; # Phase 5: Polish; T6",
			"Setup, Foundational [T0 T1 T2] | A US1 P1 [T4 done T3] after 0 | B US2 [T5] after 0 | Polish [T6] after 1,2"},
		{"no foundation", "# Phase 1: US1 - A; T1; # Phase 2: US2 - B; T2", "A US1 [T1] | B US2 [T2]"},
		{"explicit between stories", "# Phase 1: US1 - A; T1 (depends on T2); # Phase 2: US2 - B; T2", "B US2 [T2] | A US1 [T1] after 0"},
		{"phase between stories", "# Phase 1: US1 - A; T1; # Phase 2: Merge; T2; # Phase 3: US2 - B; T3", "A US1 [T1] | Merge [T2] after 0 | B US2 [T3] after 1"},
		{"groups", "# 1. A; 1.1; # 2. B; 2.1; without; # 3. C", "A [1.1] | B [2.1 line 9] after 0"},
		{"parallel groups", "# 1. A; 1.1; # 2. B [P]; 2.1; # 3. C [P]; 3.1", "A [1.1] | B [2.1] after 0 | C [3.1] after 0"},
		{"before the groups", "T1; # 1. A; 1.1", "Before the phases [T1] | A [1.1] after 0"},
		{"before one story", "T1; # Phase 1: US1 - A; T2", "Before the phases [T1] | A US1 [T2] after 0"},
		{"rest", "# Phase 1: US1 - A; T1; # Phase 2: Admin (x); T2; # Phase 3: Polish & more; T3", "A US1 [T1] | Admin, Polish & more [T2 T3] after 0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			parts, err := Divide(Parse(lines(tt.list)))
			assert.NoError(t, err)
			var got []string
			for _, p := range parts {
				text := strings.Join(strings.Fields(p.Title+" "+p.Story+" "+p.Priority), " ") + " [" + strings.Join(p.Open, " ")
				if len(p.Done) > 0 {
					text += " done " + strings.Join(p.Done, " ")
				}
				text += "]"
				if len(p.DependsOn) > 0 {
					text += " after " + strings.Trim(strings.ReplaceAll(fmt.Sprint(p.DependsOn), " ", ","), "[]")
				}
				got = append(got, text)
			}
			assert.Equal(t, tt.want, strings.Join(got, " | "))
		})
	}
}

func TestDivide_refused(t *testing.T) {
	t.Parallel()
	tests := []struct{ list, want string }{
		{"# 1. A", "cannot be divided: the list has no tasks"},
		{"# 1. A; 1.1; 1.2", `cannot be divided: all tasks (2) are in one part, "A"`},
		{"# Phase 1: Setup; T1; # Phase 2: Polish; T2 (depends on T2)", "tasks wait for each other: T2 -> T2"},
		{"# Phase 1: US1 - A; T1 (depends on T4); T2; # Phase 2: US2 - B; T3 (depends on T2); T4", "tasks wait for each other: T1 -> T4 -> T3 -> T2 -> T1"},
		{"# Phase 1: US1 - A; T1; T2 (depends on T4); # Phase 2: US2 - B; T3 [P] (depends on T1); T4 [P]", "parts wait for each other: A -> B -> A"},
	}
	for _, tt := range tests {
		parts, err := Divide(Parse(lines(tt.list)))
		if err == nil || err.Error() != tt.want || parts != nil {
			t.Errorf("%s: %v, %v, want %q", tt.list, parts, err, tt.want)
			continue
		}
		_, cycle := errors.AsType[*CycleError](err)
		assert.NotEqual(t, errors.Is(err, ErrUndivided), cycle, "%s", tt.list)
	}
}

func TestWithoutDependency(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"It depends on T001 and Depends\n on: US2": "It depends *on* T001 and Depends\n*on:* US2",
		"It depends onto T001":                     "It depends onto T001",
	} {
		got := WithoutDependency(text)
		assert.Equal(t, want, got)
		assert.Zero(t, Parse([]byte("- [ ] T001 x\n- [ ] T002 [US2] " + got + "\n")).Tasks[1].DependsOn, "%q", got)
	}
}
