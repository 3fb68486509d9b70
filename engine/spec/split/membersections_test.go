package split

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestRead_sections reads the form for which the prompts of the older chant ask.
func TestRead_sections(t *testing.T) {
	t.Parallel()
	text := "# Dependency Analysis\n\nMember 2 depends on Member 1.\n\n## Member 1: The cart\n\nWrite what a cart holds.\n\n" +
		"```json\n{\"cart\": [1]}\n```\n\n### Acceptance Criteria\n\n- [ ] It adds up `$ go test ./cart`\n- [ ] It is empty at first\n\n" +
		"**Affected Files:**\n- `cart.go` (new)\n- doc/cart.md - describe it\n\nLeave the till alone.\n\n" +
		"## Member 2: The till\n\nPrint a bill of the cart.\n\n### Acceptance criteria\n\n- [ ] It prints\n\n### Requires\n\n- Member 1: what a cart holds\n\n" +
		"**Affected Files:** till.go, bill.go\n**Dependencies:** Members 1 and 3\n\n" +
		"## Member 3: The door\n\nA door that opens to the street.\n\n**Acceptance Criteria:**\n- [ ] It opens\n\n**Affected Files:** None\n**Dependencies:** 1, 2\n"
	for name, src := range map[string]string{"bare": text, "fenced": "```markdown\n" + text + "```\n"} {
		p, problems := Read(src)
		assert.Zero(t, problems, "%s", name)
		assert.Equal(t, []Member{
			{
				Title: "The cart", Description: "Write what a cart holds.\n\n```json\n{\"cart\": [1]}\n```\n\nLeave the till alone.",
				Criteria: []Criterion{{Text: "It adds up `$ go test ./cart`"}, {Text: "It is empty at first"}}, TargetFiles: []string{"cart.go", "doc/cart.md"},
			},
			{
				Title: "The till", Description: "Print a bill of the cart.\n\n### Requires\n\n- Member 1: what a cart holds",
				Criteria: []Criterion{{Text: "It prints"}}, TargetFiles: []string{"till.go", "bill.go"}, DependsOn: []Reference{{Number: 1}},
			},
			{
				Title: "The door", Description: "A door that opens to the street.\n\n**Acceptance Criteria:**\n- [ ] It opens",
				Criteria: []Criterion{{Text: "It opens"}}, DependsOn: []Reference{{Number: 1}, {Number: 2}},
			},
		}, p.Members, "%s", name)
		plan, problems := p.Plan(parsed(t, large))
		assert.Zero(t, problems, "%s", name)
		assert.Equal(t, 3, len(plan.Parts), "%s", name)
	}
}

// TestRead_sectionsInOrder: where no member names another one, each waits for the one before.
func TestRead_sectionsInOrder(t *testing.T) {
	t.Parallel()
	p, problems := Read("## Member 1: A\n\nDo a.\n\n- [ ] a\n\n## Member 2: B\n\nDo b.\n\n- [ ] b\n\n## Member 0: C\n\n**Dependencies:** Member 0\n")
	assert.Zero(t, problems)
	assert.Equal(t, 3, len(p.Members))
	assert.Equal(t, []Reference{{Number: 1}}, p.Members[1].DependsOn)
	assert.Equal(t, []Reference{{Number: 2}}, p.Members[2].DependsOn)
	assert.True(t, AsksForSections("Start with:\n\n```\n## Member 1: <title>\n```\n"))
	assert.False(t, AsksForSections("Name the first member 1."))
}

func FuzzRead_sections(f *testing.F) {
	f.Add("## Member 1: A\n\n- [ ] a\n\n**Dependencies:** Member 2\n\n## Member 2: B\n\n### Requires\n- Member 9")
	f.Fuzz(func(t *testing.T, text string) {
		for _, m := range readSections(text) {
			for _, ref := range m.DependsOn {
				assert.True(t, ref.Number > 0, "%q", text)
			}
		}
		// Nothing that a plan does with it may panic.
		p, _ := Read(text)
		p.Plan(parsed(t, large))
	})
}
