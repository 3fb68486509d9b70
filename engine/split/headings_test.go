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
		{`Everything that "Doors" lists is so`, "Zebras"},
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

func TestByHeading_refused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"# T\n", "# T\n\n## A\n\nWords.\n\n## B\n\n- x\n", "# T\n\n## A\n\n```\n- x\n```\n\n## B\n\n```\n- y\n```\n"} {
		if plan, problems := ByHeading(parsed(t, text)); len(problems) == 0 {
			t.Errorf("%q: %+v", text, plan)
		}
	}
}

// FuzzByHeading: whatever a spec says, its members hold every criterion and read as
// they are meant, or there are none.
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
			if !slices.Contains(asked, oneLine(c.Text)) {
				t.Fatalf("nobody asks for %q of %q", c.Text, text)
			}
		}
		if strings.TrimSpace(plan.Parts[0].Title) == "" {
			t.Fatalf("%q has a part without a title", text)
		}
	})
}
