package split

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
	"pgregory.net/rapid"
)

func parsed(t testing.TB, text string) *spec.File {
	t.Helper()
	s, err := spec.Parse("2026-01-02-001-abc", "x.md", []byte(text))
	assert.NoError(t, err)
	return s
}

const large = `---
verify: [make all]
---
# Build a shop

## Acceptance Criteria

- [ ] The cart adds up ` + "`$ go test ./cart`" + `
- [ ] It reads well
`

// member returns a member as an agent would write it.
func member(title, criterion, command, depends string) string {
	return fmt.Sprintf(`{"title":%q,"description":"Do this in the folder of the cart.","criteria":[{"text":%q,"command":%q}],"depends_on":[%s]}`, title, criterion, command, depends)
}

func answer(members ...string) string {
	return "I looked.\n\n```json\n{\"members\":[" + strings.Join(members, ",") + "]}\n```\n"
}

func planned(t *testing.T, text string) (Plan, []string) {
	t.Helper()
	p, problems := Read(text)
	if len(problems) > 0 {
		return Plan{}, problems
	}
	return p.Plan(parsed(t, large))
}

// A whole number in any notation names a member; any other number is refused with a problem.
func TestPlan_numbers(t *testing.T) {
	t.Parallel()
	for number, want := range map[string]string{
		"1.0": "", "1e0": "", "10e-1": "",
		"3.0":                  "member 2 depends on 3, which is not a member",
		"1e300":                `member 2 depends on "1e300", which is not a member`,
		"99999999999999999999": `member 2 depends on "99999999999999999999", which is not a member`,
		"1e999":                `member 2 depends on "1e999", which is not a member`,
		"1.5":                  "/members/1/depends_on/0",
		"-1":                   "/members/1/depends_on/0",
	} {
		plan, problems := planned(t, answer(member("Cart", "The cart adds up", "go test ./cart", ""), member("Till", "It reads well", "", number)))
		said := strings.Join(problems, "; ")
		if want == "" && (said != "" || len(plan.Parts) != 2 || !slices.Equal(plan.Parts[1].After, []int{0})) {
			t.Errorf("%s: %+v, %s", number, plan, said)
		}
		assert.Contains(t, said, want, "%s", number)
		assert.NotContains(t, said, "json:", "%s", number)
	}
}

func TestPlan(t *testing.T) {
	t.Parallel()
	plan, problems := planned(t, answer(
		member("Cart", "The cart adds up", "go test ./cart", ""),
		member("Till", "The till prints a bill", "", `1, "cart"`),
		member("Door", "It reads well", "", "1"),
	))
	assert.Zero(t, problems)
	assert.Equal(t, []string{"The cart adds up `$ go test ./cart`"}, plan.Parts[0].Criteria)
	got := plan.Parts[1]
	assert.Equal(t, []int{0}, got.After)
	assert.False(t, got.Whole, "second %+v", got)
	got = plan.Parts[2]
	assert.Equal(t, []int{0, 1}, got.After, "the last has the checks of the whole and waits for all: %q", plan.Repaired)
	assert.True(t, got.Whole, "the last has the checks of the whole and waits for all: %+v, repaired %q", got, plan.Repaired)
	assert.Zero(t, plan.Repaired, "the last has the checks of the whole and waits for all: %q", plan.Repaired)
}

func TestPlan_repaired(t *testing.T) {
	t.Parallel()
	plan, problems := planned(t, answer(
		member("Cart", "The cart is there", "", "1, 3"),
		member("Till", "The till prints a bill", "", "1, 1"),
		member("Door", "The door opens", "", `"till"`),
	))
	assert.Zero(t, problems)
	want := []string{
		"member 1 depended on itself",
		"members 1 and 3 waited for each other: 1 no longer waits for 3, which comes later",
		"criterion 1 of the spec was in no member: member 3 has it",
		"criterion 2 of the spec was in no member: member 3 has it",
	}
	assert.Equal(t, want, plan.Repaired)
	if got := plan.Parts[2].Criteria; !slices.Equal(got, []string{"The door opens", "The cart adds up `$ go test ./cart`", "It reads well"}) {
		t.Errorf("criteria of the last %q", got)
	}
}

func TestPlan_refused(t *testing.T) {
	t.Parallel()
	good := member("Cart", "The cart adds up", "go test ./cart", "")
	for text, want := range map[string]string{
		"nothing": "it holds no JSON",
		strings.Replace(answer(good, good), "]}\n```", "],}\n```", 1): "no valid JSON: invalid character '}' looking for beginning of object key string",
		answer(good, good)[:200]:                      "no valid JSON: it ends before the value does",
		answer(strings.Repeat(good+",", 8000) + good): "no valid JSON: of ",
		`{"members":1}`:                               "/members: got number, want array",
		answer(good):                                  "there are fewer than two members",
		answer(good, `{"title":"Till","description":"Print a bill at the till.","criteria":[],"depends_on":[]}`): "/members/1/criteria: minItems",
		answer(good, member("Till", "It prints", "", "0")):                                                       "/members/1/depends_on/0",
		answer(good, member("Till", "It prints", "", "3")):                                                       "member 2 depends on 3, which is not a member",
		answer(good, member("Till", "It prints", "", `"Desk"`)):                                                  `member 2 depends on "Desk", which is not a member`,
		answer(good, member(" cart ", "It prints", "", "")):                                                      "members 1 and 2 have the same title",
		answer(good, member("Till", "All tests pass and it works as expected.", "", "")):                         "member 2 has no meaningful criterion",
		answer(good, member("Till", "It prints", "a\nb", "")):                                                    "member 2 has a command of several lines",
		answer(good, strings.Replace(good, "Do this in the folder of the cart.", "Do it.", 1)):                   "member 2 has a description of 2 words",
		answer(good, strings.Replace(member("Till", "It prints", "", ""), "Do this in the folder of the cart.", `Do this now, please, at once.\n\n## Acceptance Criteria\n\n- [ ] more`, 1)): "member 2 would not read as it is meant",
	} {
		if _, got := planned(t, text); !slices.ContainsFunc(got, func(p string) bool { return strings.Contains(p, want) }) {
			t.Errorf("%.2000s: %.2000q, want %q", text, got, want)
		}
	}
}

// TestPlan_blanks: a text that is long enough for the schema only by its blanks is refused.
func TestPlan_blanks(t *testing.T) {
	t.Parallel()
	good := member("Cart", "The cart adds up", "go test ./cart", "")
	for second, want := range map[string]string{
		member("   ", "It prints", "", ""):                                                      "member 2 has no title",
		member(" \u200b\u2003 ", "It prints", "", ""):                                           "member 2 has no title",
		member("---", "It prints", "", ""):                                                      "member 2 has no title",
		member("Till", "  ", "go test ./till", ""):                                              "member 2 has no words in criterion 1",
		member("Till", " \t ", "", ""):                                                          "member 2 has no words in criterion 1",
		strings.Replace(good, "Do this in the folder of the cart.", strings.Repeat(" ", 60), 1): "member 2 has a description of 0 words",
		member(" T ", "Ü", "", ""):                                                              "",
	} {
		_, got := planned(t, answer(good, second))
		said := strings.Join(got, "; ")
		assert.Contains(t, said, want, "%s", second)
		assert.False(t, want == "" && said != "", "%s: %q, want %q", second, said, want)
	}
}

// TestPlan_files: target files have to be in the repository.
func TestPlan_files(t *testing.T) {
	t.Parallel()
	for file, ok := range map[string]bool{
		"cart.go": true, "./a/../cart.go": true, "-rf": true, "a/**/*.go": true, "..cart": true, " cart.go ": true,
		"../../etc/passwd": false, "/etc/x": false, "a/../../b": false, "..": false, "  ": false, `..\b`: false, `\b`: false, `C:\b`: false, "c:b": false, "**/../../b": false,
	} {
		quoted, err := json.Marshal(file)
		assert.NoError(t, err)
		second := strings.Replace(member("Till", "It prints", "", ""), `"depends_on"`, `"target_files":[`+string(quoted)+`],"depends_on"`, 1)
		plan, problems := planned(t, answer(member("Cart", "The cart adds up", "go test ./cart", ""), second))
		said := strings.Join(problems, "; ")
		assert.False(t, ok && (said != "" || !slices.Equal(plan.Parts[1].Files, []string{strings.TrimSpace(file)})), "%q: %+v, %s", file, plan, said)
		assert.False(t, !ok && !strings.Contains(said, "member 2 has a target file that is not in the repository"), "%q: %s", file, said)
	}
}

// TestPlan_commands: any command is read from the spec as it was proposed.
func TestPlan_commands(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"go test ./...", "echo `date`", "grep '``' x", "test \"$(cat a | wc -l)\" = 3", "`a`"} {
		quoted, err := json.Marshal(command)
		assert.NoError(t, err)
		second := strings.Replace(member("Till", "It prints", "X", ""), `"X"`, string(quoted), 1)
		plan, problems := planned(t, answer(member("Cart", "The cart adds up", "go test ./cart", ""), second))
		if len(problems) > 0 {
			t.Errorf("%s: %q", command, problems)
			continue
		}
		doc, err := plan.Parts[1].Document("x")
		assert.NoError(t, err)
		assert.Equal(t, []string{command}, spec.Criteria(doc)[0].Commands, "%s reads back", command)
	}
}

// TestPlan_anyGraph: for any references, no part waits for itself, and every criterion of
// the spec belongs to a part.
func TestPlan_anyGraph(t *testing.T) {
	t.Parallel()
	of := parsed(t, large)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, maxMembers).Draw(t, "members")
		p := Proposal{}
		for i := range n {
			m := Member{Title: fmt.Sprintf("Member %d", i), Description: "Do what this member is about.", Criteria: []Criterion{{Text: fmt.Sprintf("Part %d prints", i)}}}
			for range rapid.IntRange(0, 4).Draw(t, "edges") {
				m.DependsOn = append(m.DependsOn, Reference{Number: rapid.IntRange(1, n).Draw(t, "to")})
			}
			p.Members = append(p.Members, m)
		}
		plan, problems := p.Plan(of)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		var asked []string
		for i, part := range plan.Parts {
			asked = append(asked, part.Criteria...)
			for _, j := range part.After {
				if j == i || plan.dependsOn(j, i) {
					t.Fatalf("member %d waits for itself: %v", i+1, plan.Parts)
				}
			}
		}
		for _, c := range spec.Criteria(of.Doc) {
			if !slices.Contains(asked, c.Text) {
				t.Fatalf("no member has the criterion %q", c.Text)
			}
		}
	})
}

// FuzzRead: any answer of an agent becomes a plan without cycles, or problems in words.
func FuzzRead(f *testing.F) {
	f.Add(answer(member("Cart", "The cart adds up", "go test ./cart", "1,2"), member("Till", "It prints", "", "1")))
	f.Add(answer(member("A b", "x `y", "`", `"A b"`), member("# c", "- [ ] z", "$ w", "1")))
	f.Add("```json\n{\"members\":[]}\n```")
	of := parsed(f, large)
	f.Fuzz(func(t *testing.T, text string) {
		p, problems := Read(text)
		if len(problems) > 0 {
			return
		}
		plan, problems := p.Plan(of)
		if len(problems) > 0 {
			return
		}
		for i, part := range plan.Parts {
			doc, err := part.Document("x")
			assert.NoError(t, err, "member %d: %s", i+1, doc.Bytes())
			assert.Equal(t, part.Title, doc.Title(), "member %d: %s", i+1, doc.Bytes())
			assert.NotEqual(t, 0, len(spec.Criteria(doc)), "member %d: %s", i+1, doc.Bytes())
			for _, j := range part.After {
				assert.False(t, plan.dependsOn(j, i), "member %d waits for itself", i+1)
			}
		}
	})
}
