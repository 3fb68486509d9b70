package split

import (
	"slices"
	"strings"
	"testing"

	"chant/engine/spec"
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
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var titles []string
	for _, p := range plan.Parts {
		titles = append(titles, p.Title)
	}
	if !slices.Equal(titles, []string{"The cart", "The till", "Doors"}) {
		t.Fatalf("parts %q", titles)
	}
	for i, want := range [][]string{
		{"The cart adds up `$ go test ./cart`"},
		{"Bills are printed `$ go test ./till`"},
		{`Everything that "Doors" lists is done`, "Zebras"},
	} {
		if got := plan.Parts[i].Criteria; !slices.Equal(got, want) {
			t.Errorf("part %d has %q, want %q", i+1, got, want)
		}
	}
	if p := plan.Parts; !slices.Equal(p[0].Files, []string{"cart.go"}) || !slices.Equal(p[2].Files, []string{"other.go"}) {
		t.Errorf("files %q and %q", p[0].Files, p[2].Files)
	}
	if p := plan.Parts; len(p[0].After) != 0 || !slices.Equal(p[1].After, []int{0}) || !slices.Equal(p[2].After, []int{0, 1}) || !p[2].Whole {
		t.Errorf("order %v %v %v", p[0].After, p[1].After, p[2].After)
	}
}

func TestByHeading_thirdLevel(t *testing.T) {
	t.Parallel()
	plan, problems := ByHeading(parsed(t, "# T\n\n## Work\n\n### One\n\n- [ ] do one\n- [ ] do more\n\n### Two\n\n1. do two\n"))
	if len(problems) > 0 || len(plan.Parts) != 2 || !slices.Equal(plan.Parts[0].Criteria, []string{"do one", "do more"}) {
		t.Errorf("%+v, %q", plan, problems)
	}
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
		if len(problems) > 0 || len(plan.Parts) != 3 {
			t.Fatalf("%s: %+v, %q", criterion, plan, problems)
		}
		if got := plan.Parts[want].Criteria; !slices.Contains(got, criterion) {
			t.Errorf("%s: member %d has %q", criterion, want+1, got)
		}
		if last := plan.Parts[2]; want == 2 && (!slices.Equal(last.Criteria, []string{`Everything that "Add a door" lists is done`, criterion}) || !slices.Equal(last.After, []int{0, 1})) {
			t.Errorf("%s: the last is %+v", criterion, last)
		}
	}
}

func TestByHeading_sameTitle(t *testing.T) {
	t.Parallel()
	plan, problems := ByHeading(parsed(t, "# T\n\n## Do it\n\n- x\n\n## B\n\n- y\n\n## do  IT\n\n- z\n"))
	if want := []string{`two of its sections have the title "do IT"`}; !slices.Equal(problems, want) {
		t.Errorf("%+v, %q, want %q", plan, problems, want)
	}
}

func TestByHeading_refused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"# T\n", "# T\n\n## A\n\nWords.\n\n## B\n\n- x\n", "# T\n\n## A\n\n```\n- x\n```\n\n## B\n\n```\n- y\n```\n"} {
		if plan, problems := ByHeading(parsed(t, text)); len(problems) == 0 {
			t.Errorf("%q: %+v", text, plan)
		}
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
			if !slices.Contains(asked, spec.OneLine(c.Text)) {
				t.Fatalf("no member has the criterion %q of %q", c.Text, text)
			}
		}
		if strings.TrimSpace(plan.Parts[0].Title) == "" {
			t.Fatalf("%q has a part without a title", text)
		}
	})
}
