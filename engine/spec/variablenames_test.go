package spec

import "testing"

func TestVariableName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"HOME": true, "_a1": true, "": false, "1A": false, "A-B": false, "A*": false, "A=B": false, "Ä": false, "A B": false} {
		if VariableName(name) != want {
			t.Errorf("VariableName(%q) = %v", name, !want)
		}
	}
}
