package prove

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/enginetest"

	"github.com/alecthomas/assert/v2"
)

// TestProve_budget prints when the first survivor of a change of 200 lines was found, with a criterion of a second, and how
// exactly budgets are kept.
func TestProve_budget(t *testing.T) {
	enginetest.ForRelease(t, "engine/verify/prove")
	var lib strings.Builder
	for n := range 50 {
		fmt.Fprintf(&lib, "f%d() {\n  [ \"$1\" -lt 5 ]\n}\n\n", n)
	}
	p, _ := landed(t, "- [ ] some work `$ sleep 1; . ./lib.sh; f0 4 && ! f0 5 && f1 4`\n", map[string]string{"lib.sh": lib.String()})
	for _, budget := range []time.Duration{5 * time.Second, 20 * time.Second} {
		begun, first := time.Now(), time.Duration(0)
		p.Progress = func(ev engine.Event) {
			if first == 0 && strings.HasSuffix(ev.Text, "is not noticed") {
				first = time.Since(begun)
			}
		}
		r, err := Prove(t.Context(), p, Input{Budget: budget.String(), Seed: 1})
		took := time.Since(begun)
		assert.NoError(t, err)
		assert.True(t, r.Sampled)
		t.Logf("budget %s: took %.2f s, first survivor after %.2f s, %s", budget, took.Seconds(), first.Seconds(), r.Words())
		assert.True(t, took < budget*11/10, "a budget of %s took %s", budget, took)
	}
}
