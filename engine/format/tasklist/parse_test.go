package tasklist

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestParse_line reads one line at a time.
func TestParse_line(t *testing.T) {
	t.Parallel()
	tests := []struct{ line, want string }{
		{"- [ ] T001 Create x", "T001||Create x"},
		{"* [ ] T1 a", "T1||a"},
		{"+ [ ] 1.2 a", "1.2||a"},
		{"1. [ ] 1.2.3 a", "1.2.3||a"},
		{"- [ ] 1.2. a", "1.2||a"},
		{"- [ ] 3. a", "3||a"},
		{"- [ ] 3) a", "3||a"},
		{"- [ ] 3 unit tests", "||3 unit tests"},
		{"- [ ] 1.5x faster", "||1.5x faster"},
		{"- [ ] T001: a", "T001||a"},
		{"- [ ] **T001** a", "T001||a"},
		{"- [ ] **T001**: a", "T001||a"},
		{"- [ ] **T001 a** b", "T001||**a** b"},
		{"- [ ] `T001` a", "T001||a"},
		{"- [ ] [T001] [P] a", "T001|P|a"},
		{"- [ ] t001 a", "t001||a"},
		{"- [ ] T001a a", "T001a||a"},
		{"- [ ] T-12 a", "T-12||a"},
		{"- [ ] TASK-7 a", "TASK-7||a"},
		{"- [ ] CHK004 a", "CHK004||a"},
		{"- [ ] CHK004 - Is a given? [Gap]", "CHK004||Is a given? [Gap]"},
		{"- [ ] T001[P][US2] a", "T001|P US2|a"},
		{"- [ ] T001 [US2] [P] a", "T001|P US2|a"},
		{"- [ ] [P] [US02] T001 a", "T001|P US2|a"},
		{"- [ ] T001 [p, us-3] a", "T001|P US3|a"},
		{"- [ ] T001 [US1, US2] a", "T001|US1|a"},
		{"- [ ] T001 [API] [P] a", "T001||[API] [P] a"},
		{"- [ ] T001 [P](x.md) a", "T001|P|(x.md) a"},
		{"- [ ] T001 []", "T001||[]"},
		{"- [ ] T001", "T001||"},
		{"- [ ] Tests for T001", "||Tests for T001"},
		{"- [ ] T4-like engine", "||T4-like engine"},
		{"- [ ] [link](a) b", "||[link](a) b"},
		{"- [ ] ** odd", "||** odd"},
	}
	for _, tt := range tests {
		l := Parse([]byte(tt.line))
		if len(l.Tasks) != 1 {
			t.Errorf("%q has %d tasks", tt.line, len(l.Tasks))
			continue
		}
		task := l.Tasks[0]
		var marks []string
		if task.Parallel {
			marks = append(marks, "P")
		}
		if task.Story != "" {
			marks = append(marks, task.Story)
		}
		if got := task.ID + "|" + strings.Join(marks, " ") + "|" + task.Description; got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.line, got, tt.want)
		}
		if want := strings.TrimSpace(tt.line[strings.Index(tt.line, "] ")+1:]); task.Text != want {
			t.Errorf("%q: text %q, want %q", tt.line, task.Text, want)
		}
	}
}

// TestParse_boxes checks which lines are tasks.
func TestParse_boxes(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, src, want string }{
		{"empty", "", ""},
		{"done", "- [ ] a\n- [x] b\n- [X] c\n", "1- 2x 3x"},
		{"nested", "- [ ] a\n  - [x] b\n\t- [ ] c\n", "1- 2x<0 3-<1"},
		{"below a plain item", "- [ ] a\n- b\n  - [ ] c\n", "1- 3-"},
		{"fence", "```\n- [ ] a\n```\n- [ ] b\n", "4-"},
		{"indented code", "x\n\n    - [ ] a\n\n- [ ] b\n", "5-"},
		{"comment", "<!--\n- [ ] a\n-->\n- [ ] b\n", "4-"},
		{"front matter", "---\na: b\n---\n- [ ] a\n", "4-"},
		{"front matter without end", "---\n- [ ] a\n", "2-"},
		{"a rule at the start", "---\n# Tasks: x\n- [ ] a\n\n---\n- [ ] b\n", "3- 6-"},
		{"byte order mark", "\ufeff- [ ] a\n", "1-"},
		{"byte order mark and a rule", "\ufeff---\n- [ ] a\n", "2-"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, eol := range []string{"\n", "\r\n"} {
				src := strings.ReplaceAll(tt.src, "\n", eol)
				var got []string
				for _, task := range Parse([]byte(src)).Tasks {
					mark := "-"
					if task.Done {
						mark = "x"
					}
					line := fmt.Sprintf("%d%s", task.Line, mark)
					if task.Parent >= 0 {
						line += fmt.Sprintf("<%d", task.Parent)
					}
					got = append(got, line)
					if box := src[task.Offset-1 : task.Offset+2]; !slices.Contains([]string{"[ ]", "[x]", "[X]"}, box) {
						t.Errorf("%q at the offset of line %d", box, task.Line)
					}
				}
				if strings.Join(got, " ") != tt.want {
					t.Errorf("%q: got %q, want %q", src, got, tt.want)
				}
			}
		})
	}
}

// TestParse_phases checks which headings are phases, and what is read from them.
func TestParse_phases(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, src, want string }{
		{"spec-kit", "# T\n## Phase 1: Setup (x)\n- [ ] a\n## Phase 2 - Foundational\n### Sub\n- [ ] b\n", "1 setup Setup (x): 1; 2 foundational Foundational: 1"},
		{"story", "## Phase 3: User Story 1 - Log in (Priority: P1) 🎯 MVP\n- [ ] a\n", "3 story Log in US1 P1: 1"},
		{"story without priority", "## Phase 3: User Story 2: Log in 🎯 MVP\n- [ ] a\n", "3 story Log in US2 : 1"},
		{"story with short priority", "## Phase 3: US2 (P2) — Log in\n- [ ] a\n", "3 story Log in US2 P2: 1"},
		{"story in brackets", "## Phase 3: Log in (US4)\n- [ ] a\n", "3 story Log in (US4) US4 : 1"},
		{"story without a title", "## Phase 3: User Story 1\n- [ ] a\n", "3 story Phase 3: User Story 1 US1 : 1"},
		{"story by labels", "## Phase 3: Login\n- [ ] T001 [US1] a\n- [ ] T002 [US1] b\n", "3 story Login US1 : 2"},
		{"mixed labels", "## Phase 3: Login\n- [ ] T001 [US1] a\n- [ ] T002 b\n", "3 other Login: 2"},
		{"letter", "## Phase N+1: Polish & more\n- [ ] a\n", "N+1 polish Polish & more: 1"},
		{"bold", "## **Phase 2.1: Core**\n- [ ] a\n", "2.1 other Core: 1"},
		{"picture", "## 🚀 PHASE 1: Core\n- [ ] a\n", "1 other Core: 1"},
		{"no number", "## Phase in\n- [ ] a\n## Phase Dependencies\n- [ ] b\n", " other Phase in: 1;  other Phase Dependencies: 1"},
		{"phase without tasks", "## Phase 1: Setup\n## Phase 2: Core\n- [ ] a\n## Notes\n- b\n", "1 setup Setup: 0; 2 other Core: 1"},
		{"another heading with tasks", "## Phase 1: Core\n- [ ] a\n## Later\n- [ ] b\n", "1 other Core: 1;  other Later: 1"},
		{"before the first", "# Tasks\n- [ ] a\n## Phase 1: Core\n- [ ] b\n", "none: 1; 1 other Core: 1"},
		{"openspec", "## 1. Read\n- [ ] 1.1 a\n## 2) Write\n- [ ] 2.1 b\n## 3 - Both\n- [ ] 3.1 c\n", "1 other Read: 1; 2 other Write: 1; 3 other Both: 1"},
		{"openspec without tasks", "## 1. Read\n- [ ] a\n## 2. Write\ntext\n", "1 other Read: 1; 2 other Write: 0"},
		{"numbers below", "# 1. All\n### 1.1 Read\n- [ ] a\n### 1.2 Write\n- [ ] b\n", "1 other All: 2"},
		{"parallel groups", "## 1. Read [P]\n- [ ] a\n", "1 other Read parallel: 1"},
		{"no numbers", "# Tasks\n## Read\n- [ ] a\n## Write\n### Sub\n- [ ] b\n## Notes\n", " other Read: 1;  other Write: 1"},
		{"one group", "# T\n## Tasks\n- [ ] a\n### Sub\n- [ ] b\n", " other Tasks: 2"},
		{"groups in a section", "# T\n## Tasks\n### Read\n- [ ] a\n### Write\n- [ ] b\n", " other Read: 1;  other Write: 1"},
		{"only a title", "# Tasks\n- [ ] a\n", "none: 1"},
		{"top level", "# Read\n- [ ] a\n# Write\n- [ ] b\n", " other Read: 1;  other Write: 1"},
		{"phases in a section", "# T\n## Tasks\n### Phase 1: Setup\n- [ ] a\n## More\n- [ ] b\n", "1 setup Setup: 1;  other More: 1"},
		{"fenced", "```\n## Phase 9: x\n```\n## Phase 1: Core\n- [ ] a\n", "1 other Core: 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := Parse([]byte(tt.src))
			count := map[int]int{}
			for _, task := range l.Tasks {
				count[task.Phase]++
			}
			var got []string
			if count[-1] > 0 {
				got = append(got, fmt.Sprintf("none: %d", count[-1]))
			}
			for i, p := range l.Phases {
				text := fmt.Sprintf("%s %s %s", p.Number, p.Kind, p.Title)
				if p.Story != "" {
					text += fmt.Sprintf(" %s %s", p.Story, p.Priority)
				}
				if p.Parallel {
					text += " parallel"
				}
				got = append(got, fmt.Sprintf("%s: %d", text, count[i]))
				if line := strings.Split(tt.src, "\n")[p.Line-1]; !strings.HasSuffix(line, p.Heading) {
					t.Errorf("line %d of %q is %q", p.Line, p.Heading, line)
				}
			}
			if text := strings.Join(got, "; "); text != tt.want {
				t.Errorf("got  %q\nwant %q", text, tt.want)
			}
		})
	}
}

// TestParse_dependsOn checks what the texts of tasks depend on.
func TestParse_dependsOn(t *testing.T) {
	t.Parallel()
	list := "- [ ] T001 [US1] a\n- [ ] T002 b\n- [ ] T003 c\n- [ ] t004 d\n- [ ] 1.1 e\n- [ ] 1.2 f\n- [ ] 1.3 [US2] g\n"
	tests := []struct{ text, want string }{
		{"x (depends on T001)", "T001"},
		{"x (Depends On: t001, T002)", "T001 T002"},
		{"x depends on T001 and T003 in a.go", "T001 T003"},
		{"x (depends on tasks T001, and T002 & T003)", "T001 T002 T003"},
		{"x (depends on T001-T003)", "T001 T002 T003"},
		{"x (depends on T002–T004, 1.1)", "T002 T003 t004 1.1"},
		{"x (depends on T001 through T003)", "T001 T002 T003"},
		{"x (depends on T002-004)", "T002 T003 t004"},
		{"x (depends on 1.1-1.3)", "1.1 1.2 1.3"},
		{"x (depends on US1, US-02)", "US1 US2"},
		{"x (depends on T002) (depends on T001)", "T002 T001"},
		{"x (depends on `T002` / **T001**)", "T002 T001"},
		{"x (depends on T002, T002)", "T002"},
		{"x (depends on T1)", "T1"},
		{"x (depends on T001-T900000000000000000000)", "T001 T900000000000000000000"},
		{"x (depends on T003-1.1)", "T003 1.1"},
		{"x depends on the weather", ""},
		{"x depends on 3 services", ""},
		{"x (requires T001)", ""},
	}
	for _, tt := range tests {
		l := Parse([]byte(list + "- [ ] T900 " + tt.text + "\n"))
		last := l.Tasks[len(l.Tasks)-1]
		if got := strings.Join(last.DependsOn, " "); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.text, got, tt.want)
		}
	}
}

// TestParse_duplicates checks that tasks with the same ID keep keys of their own.
func TestParse_duplicates(t *testing.T) {
	t.Parallel()
	l := Parse([]byte("- [ ] T001 a\n- [ ] t001 b\n- [ ] c\n"))
	var keys []string
	for _, task := range l.Tasks {
		keys = append(keys, task.Key)
	}
	if want := []string{"T001", "line 2", "line 3"}; !slices.Equal(keys, want) {
		t.Errorf("keys %q, want %q", keys, want)
	}
	if got := l.Task("t001"); got == nil || got.Line != 1 {
		t.Errorf("Task(t001) = %v", got)
	}
	if got := l.Task("T00"); got != nil {
		t.Errorf("Task(T00) = %v", got)
	}
}
