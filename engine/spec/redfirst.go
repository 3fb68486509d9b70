package spec

// A spec with the key red_for writes tests that must fail until another spec, which depends on it, has been worked. The
// other begins with the branch of the tests, and both land together, so that the target has the tests only once they pass.

// WritesRed reports whether the commands of the spec's criteria must fail, as s is now: until the other spec has landed.
func (s *Spec) WritesRed() bool { return s.Fields.RedFor != "" && !s.Landed }

// WaitsToTurnGreen reports whether the spec has written its failing tests, and lands with the spec that makes them pass.
func (s *Spec) WaitsToTurnGreen() bool { return s.WritesRed() && s.Status == Completed }

// RedTests returns the spec that has written failing tests for id, which depends on it, and is completed, but has not landed
// on the same target; nil without one.
func (g *Graph) RedTests(id string) *Spec {
	s := g.Spec(id)
	if s == nil {
		return nil
	}
	for _, dep := range s.Fields.DependsOn {
		if tests := g.Spec(dep); tests != nil && tests.Fields.RedFor == id && tests.WaitsToTurnGreen() && tests.Target == s.Target {
			return tests
		}
	}
	return nil
}
