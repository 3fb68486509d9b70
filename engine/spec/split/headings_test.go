package split

import (
	"slices"
	"strings"
	"testing"

	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

func TestByHeading(t *testing.T) {
	t.Parallel()
	s := parsed(t, `---
target_files: [cart.go, other.go]
verify: [make all]
---
# Build a shop

What a shop is.

## Background

A shop sells things.

## The cart

Change cart.go:

- add up prices

## The till

- [ ] print a bill

### Acceptance Criteria

- [ ] Bills are printed `+"`$ go test ./till`"+`

## Doors

- one that opens

## Acceptance Criteria

- [ ] The cart adds up `+"`$ go test ./cart`"+`
- [ ] Zebras

## Approval Discussion

- no part of it
`)
	plan, problems := ByHeading(s)
	assert.Zero(t, problems)
	var titles []string
	for _, p := range plan.Parts {
		titles = append(titles, p.Title)
	}
	assert.Equal(t, []string{"The cart", "The till", "Doors"}, titles)
	for i, want := range [][]string{
		{"The cart adds up `$ go test ./cart`"},
		{"Bills are printed `$ go test ./till`"},
		{`Everything that "Doors" lists is done`, "Zebras"},
	} {
		assert.Equal(t, want, plan.Parts[i].Criteria, "part %d", i+1)
	}
	p := plan.Parts
	assert.Equal(t, []string{"cart.go"}, p[0].Files)
	assert.Equal(t, []string{"other.go"}, p[2].Files)
	p = plan.Parts
	assert.Zero(t, p[0].After, "order %v", p[0].After)
	assert.Equal(t, []int{0}, p[1].After, "order %v", p[0].After)
	assert.Equal(t, []int{0, 1}, p[2].After, "order %v", p[0].After)
	assert.True(t, p[2].Whole, "order %v %v %v", p[0].After, p[1].After, p[2].After)
}

func TestByHeading_thirdLevel(t *testing.T) {
	t.Parallel()
	plan, problems := ByHeading(parsed(t, "# T\n\n## Work\n\n### One\n\n- [ ] do one\n- [ ] do more\n\n### Two\n\n1. do two\n"))
	assert.Zero(t, problems)
	assert.Equal(t, 2, len(plan.Parts), "%q", problems)
	assert.Equal(t, []string{"do one", "do more"}, plan.Parts[0].Criteria, "%q", problems)
}

// TestByHeading_overall: a criterion about several sections goes to the last member, which
// waits for all others, besides its own criteria.
func TestByHeading_overall(t *testing.T) {
	t.Parallel()
	for criterion, want := range map[string]int{
		"the parser and the printer work together":   2,
		"a round trip is lossless `$ parser-test`":   2, // a command says nothing of what it is about
		"a round trip is lossless ``$ a ` parser``":  2,
		"trees are read and printed":                 2, // a word of two sections
		"the printer prints trees `$ parser | test`": 1,
		"add the parser":                             0, // "add" is in all titles
		"tokens of the parser are trees":             0,
		"`Tokens` are told":                          0,
	} {
		plan, problems := ByHeading(parsed(t, "# Build it\n\n## Add a parser\n\n- tokens and trees\n\n## Add a printer\n\n- trees\n\n## Add a door\n\n- hinges `$ parser tokens round`\n\n## Acceptance Criteria\n\n- [ ] "+criterion+"\n"))
		assert.Zero(t, problems, "%s: %+v, %q", criterion, plan, problems)
		assert.Equal(t, 3, len(plan.Parts), "%s: %+v, %q", criterion, plan, problems)
		assert.SliceContains(t, plan.Parts[want].Criteria, criterion, "%d", want+1)
		if last := plan.Parts[2]; want == 2 && (!slices.Equal(last.Criteria, []string{`Everything that "Add a door" lists is done`, criterion}) || !slices.Equal(last.After, []int{0, 1})) {
			t.Errorf("%s: the last is %+v", criterion, last)
		}
	}
}

func TestByHeading_sameTitle(t *testing.T) {
	t.Parallel()
	plan, problems := ByHeading(parsed(t, "# T\n\n## Do it\n\n- x\n\n## B\n\n- y\n\n## do  IT\n\n- z\n"))
	assert.Equal(t, []string{`two of its sections have the title "do IT"`}, problems, "%+v", plan)
}

func TestByHeading_refused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"# T\n", "# T\n\n## A\n\nWords.\n\n## B\n\n- x\n", "# T\n\n## A\n\n```\n- x\n```\n\n## B\n\n```\n- y\n```\n"} {
		plan, problems := ByHeading(parsed(t, text))
		assert.NotEqual(t, 0, len(problems), "%q: %+v", text, plan)
	}
}

// FuzzByHeading: for any spec, the members contain every criterion and are read as they
// are meant, or there is no plan.
func FuzzByHeading(f *testing.F) {
	f.Add("# T\n\n## A\n\n- x\n\n## B\n\n- [ ] y\n\n## Acceptance Criteria\n\n- [ ] z `$ true`\n")
	f.Add("# T\n\nA\n---\n- x\n\nB\n---\n~~~\n- x\n")
	f.Add("# T\n\n## A #\n\n- x\n\n## Acceptance criteria (draft)\n\n- [ ] q\n- [ ] q\n\n## <!-- b\n\n* [x] y\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := spec.Parse("x", "x.md", []byte(text))
		if err != nil {
			return
		}
		plan, problems := ByHeading(s)
		if len(problems) > 0 {
			return
		}
		var asked []string
		for _, p := range plan.Parts {
			asked = append(asked, p.Criteria...)
		}
		for _, c := range spec.Criteria(s.Doc) {
			assert.SliceContains(t, asked, spec.OneLine(c.Text), "no member has the criterion %q of %q", c.Text, text)
		}
		assert.NotEqual(t, "", strings.TrimSpace(plan.Parts[0].Title), "%q has a part without a title", text)
	})
}
