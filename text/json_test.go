package text

import "testing"

func TestJSON(t *testing.T) {
	t.Parallel()
	for indent, want := range map[string]string{"": `{"a":"<b> & c"}`, "  ": "{\n  \"a\": \"<b> & c\"\n}"} {
		if got, err := JSON(map[string]string{"a": "<b> & c"}, indent); err != nil || string(got) != want {
			t.Errorf("indent %q: %s, %v, want %s", indent, got, err, want)
		}
	}
	if _, err := JSON(func() {}, ""); err == nil {
		t.Error("a function was encoded")
	}
}
