package tasklist

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
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
		assert.Equal(t, tt.want, task.ID+"|"+strings.Join(marks, " ")+"|"+task.Description, "%q", tt.line)
		assert.Equal(t, strings.TrimSpace(tt.line[strings.Index(tt.line, "] ")+1:]), task.Text, "%q: text", tt.line)
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
					assert.SliceContains(t, []string{"[ ]", "[x]", "[X]"}, src[task.Offset-1:task.Offset+2], "%d", task.Line)
				}
				assert.Equal(t, tt.want, strings.Join(got, " "), "%q", src)
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
				assert.HasSuffix(t, strings.Split(tt.src, "\n")[p.Line-1], p.Heading, "line %d", p.Line)
			}
			assert.Equal(t, tt.want, strings.Join(got, "; "))
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
		assert.Equal(t, tt.want, strings.Join(last.DependsOn, " "), "%q", tt.text)
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
	assert.Equal(t, []string{"T001", "line 2", "line 3"}, keys)
	got := l.Task("t001")
	assert.True(t, got != nil, "Task(t001) = %v", got)
	assert.Equal(t, 1, got.Line)
	got = l.Task("T00")
	assert.True(t, got == nil, "Task(T00) = %v", got)
}

// describe writes all that is known of a list.
func describe(src []byte) string {
	var b strings.Builder
	l := Parse(src)
	for i, p := range l.Phases {
		fmt.Fprintf(&b, "phase %d line %d %s %q number %q", i, p.Line, p.Kind, p.Title, p.Number)
		if p.Story != "" {
			fmt.Fprintf(&b, " %s %s", p.Story, p.Priority)
		}
		b.WriteString("\n")
	}
	graph, err := graphOf(l)
	for _, t := range l.Tasks {
		mark := " "
		if t.Done {
			mark = "x"
		}
		fmt.Fprintf(&b, "%s[%s] %s (phase %d line %d", strings.Repeat("  ", t.Depth), mark, t.Key, t.Phase, t.Line)
		if t.Parallel {
			b.WriteString(" parallel")
		}
		if t.Story != "" {
			b.WriteString(" " + t.Story)
		}
		if t.Parent >= 0 {
			b.WriteString(" below " + l.Tasks[t.Parent].Key)
		}
		fmt.Fprintf(&b, ") %s\n", t.Description)
		if len(t.DependsOn) > 0 {
			fmt.Fprintf(&b, "%s    names %s\n", strings.Repeat("  ", t.Depth), strings.Join(t.DependsOn, " "))
		}
		fmt.Fprintf(&b, "%s    waits for %s\n", strings.Repeat("  ", t.Depth), strings.Join(graph[t.Key], " "))
	}
	done, total := Progress(l)
	fmt.Fprintf(&b, "%d of %d done, error %v\n", done, total, err)
	if next := Next(l); next != nil {
		fmt.Fprintf(&b, "next %s\n", next.Key)
	}
	parts, err := Divide(l)
	for i, p := range parts {
		fmt.Fprintf(&b, "part %d %q %s %s depends on %v: open %s; done %s\n", i, p.Title, p.Story, p.Priority, p.DependsOn, strings.Join(p.Open, " "), strings.Join(p.Done, " "))
	}
	if err != nil {
		fmt.Fprintf(&b, "not divided: %v\n", err)
	}
	return b.String()
}

// TestGolden compares whole lists with what is known of them, in each form that an editor may write them in.
func TestGolden(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"speckit", "openspec"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile(filepath.Join("testdata", name+".md"))
			assert.NoError(t, err)
			golden := filepath.Join("testdata", name+".golden")
			got := describe(src)
			if os.Getenv("UPDATE") != "" {
				assert.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
			}
			want, err := os.ReadFile(golden)
			assert.NoError(t, err)
			assert.Equal(t, string(want), got, "differs from %s (UPDATE=1 writes it):", golden)
			crlf := bytes.ReplaceAll(src, []byte("\n"), []byte("\r\n"))
			assert.Equal(t, got, describe(crlf))
			assert.Equal(t, got, describe(append([]byte("\ufeff"), crlf...)), "with a byte order mark:")
		})
	}
}
