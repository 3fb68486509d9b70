package worker

import (
	"testing"

	"chant/engine/fleet"
)

// TestSituation_decide: a claim is respected while its worker is alive and says that it works on the spec.
func TestSituation_decide(t *testing.T) {
	t.Parallel()
	claimed := func(worker string, state fleet.ClaimState) fleet.Held {
		return fleet.Held{Claim: fleet.Claim{ID: "a", Worker: worker, State: state}, Hash: "h"}
	}
	alive := []fleet.Node{{Name: "other", Running: []string{"a", "b"}}, {Name: "idle"}}
	for name, c := range map[string]struct {
		s    situation
		want action
	}{
		"ready, no claim":                    {situation{ready: true}, take},
		"not ready any more":                 {situation{}, skip},
		"landed":                             {situation{over: "it is completed on the target", ready: true}, skip},
		"returned and cancelled meanwhile":   {situation{over: "it is cancelled on the target", claim: claimed("other", fleet.Returned)}, skip},
		"worked on in this process":          {situation{mine: true, ready: true}, later},
		"completed":                          {situation{claim: claimed("other", fleet.Completed), nodes: alive}, skip},
		"proposed":                           {situation{claim: claimed("other", fleet.Proposed), nodes: alive}, skip},
		"ended":                              {situation{claim: claimed("other", fleet.Ended), nodes: alive}, skip},
		"returned":                           {situation{claim: claimed("other", fleet.Returned), nodes: alive}, take},
		"worked on elsewhere":                {situation{claim: claimed("other", fleet.Working), nodes: alive}, later},
		"its worker is gone":                 {situation{claim: claimed("gone", fleet.Working), nodes: alive}, take},
		"its worker does something else":     {situation{claim: claimed("idle", fleet.Working), nodes: alive}, take},
		"its worker is gone, the server was": {situation{claim: claimed("gone", fleet.Working), nodes: alive, unsure: true}, later},
		"it is listed without the spec":      {situation{claim: claimed("idle", fleet.Working), nodes: alive, unsure: true}, take},
		"an earlier process of this worker":  {situation{claim: claimed("me", fleet.Working), nodes: alive}, take},
		"this worker, although it is listed": {situation{claim: claimed("me", fleet.Working), nodes: []fleet.Node{{Name: "me", Running: []string{"a"}}}}, take},
	} {
		c.s.me = "me"
		if got, why := c.s.decide(); got != c.want || got != take && why == "" {
			t.Errorf("%s: %s (%s), want %s", name, got, why, c.want)
		}
	}
}
