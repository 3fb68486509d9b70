package spec

import "testing"

func TestNearest(t *testing.T) {
	t.Parallel()
	words := []string{"depends_on", "labels", "model", "log"}
	for text, want := range map[string]string{
		"depend_on": "depends_on", "dependsOn": "depends_on", "Lables": "labels", "modle": "model", "lag": "log", "l": "", "nothing": "", "": "",
	} {
		if got := Nearest(text, words); got != want {
			t.Errorf("nearest to %q is %q, want %q", text, got, want)
		}
	}
}
