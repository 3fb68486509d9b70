package split

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// cart and its like are members that can be used; each depends on those that it names.
func cart(title string, after ...any) map[string]any {
	if after == nil {
		after = []any{}
	}
	return map[string]any{
		"title": title, "description": "Do this in the folder of the cart.", "depends_on": after,
		"criteria": []any{map[string]any{"text": title + " works", "command": "go test ./cart"}},
	}
}

// stub is a member that cannot be used.
func stub(title string) map[string]any {
	m := cart(title)
	m["criteria"] = []any{}
	return m
}

func proposed(t *testing.T, members ...map[string]any) Proposal {
	t.Helper()
	src, err := json.Marshal(map[string]any{"members": members})
	assert.NoError(t, err)
	p, problems := Read("```json\n" + string(src) + "\n```")
	assert.Zero(t, problems)
	return p
}

func titles(p Proposal) string {
	var all []string
	for _, m := range p.Members {
		all = append(all, m.Title)
	}
	return strings.Join(all, ", ")
}

// TestProposal_Correct keeps the members that can be used, and puts corrections in the place of the others.
func TestProposal_Correct(t *testing.T) {
	t.Parallel()
	first := proposed(t, cart("Cart"), stub("Till"), cart("Bill", 2), map[string]any{"title": "Shop"})
	assert.True(t, first.PartlyUsable(), "two good members of four, and not partly usable")
	short := stub("Door")
	short["criteria"], short["description"] = cart("Door")["criteria"], "Short."
	for name, tt := range map[string]struct {
		answer []map[string]any
		want   string
		bad    int
	}{
		"both, in order":        {[]map[string]any{cart("Till"), cart("Shop")}, "Cart, Till, Bill, Shop", 0},
		"by their titles":       {[]map[string]any{cart("Shop"), cart("Till")}, "Cart, Till, Bill, Shop", 0},
		"renamed":               {[]map[string]any{cart("Checkout"), cart("Shop")}, "Cart, Checkout, Bill, Shop", 0},
		"one of them":           {[]map[string]any{cart("Till")}, "Cart, Till, Bill, Shop", 1},
		"one is still bad":      {[]map[string]any{cart("Till"), short}, "Cart, Till, Bill, Door", 1},
		"all members once more": {[]map[string]any{cart("Anna"), cart("Bert"), cart("Carl"), cart("Dora")}, "Anna, Bert, Carl, Dora", 0},
	} {
		got := first.Correct(proposed(t, tt.answer...))
		if titles(got) != tt.want || len(got.faults()) != tt.bad {
			t.Errorf("%s: %s with faults %v, want %s and %d", name, titles(got), got.faults(), tt.want, tt.bad)
		}
	}
	if len(first.faults()) != 2 {
		t.Errorf("the first proposal was changed: %v", first.faults())
	}
}

// TestProposal_PlanOfRest leaves out what cannot be used, with what depends on it, and loses no criterion of the spec.
func TestProposal_PlanOfRest(t *testing.T) {
	t.Parallel()
	of := parsed(t, large)
	plan, problems := proposed(t, cart("Cart"), stub("Till"), cart("Bill", 2, "Cart"), cart("Shop", 3)).PlanOfRest(of)
	assert.Zero(t, problems)
	assert.Equal(t, 3, len(plan.Parts), "%q", problems)
	bill, shop := plan.Parts[1], plan.Parts[2]
	assert.Equal(t, "Bill", bill.Title, "parts %+v", plan.Parts)
	assert.Equal(t, []int{0}, bill.After, "parts %+v", plan.Parts)
	assert.SliceContains(t, shop.After, 1, "parts %+v", plan.Parts)
	assert.HasPrefix(t, plan.Repaired[0], `member 2 "Till" was left out: /members/1/criteria: minItems`, "repaired %q", plan.Repaired)
	whole, _ := proposed(t, cart("Cart"), cart("Bill")).Plan(of)
	count := func(p Plan) (n int) {
		for _, part := range p.Parts {
			n += len(part.Criteria)
		}
		return n
	}
	if count(plan) != count(whole)+1 { // that of the third member
		t.Errorf("%d criteria, want %d", count(plan), count(whole)+1)
	}
	_, problems = proposed(t, cart("Cart"), stub("Till")).PlanOfRest(of)
	assert.NotEqual(t, 0, len(problems), "one member is a plan")
}
