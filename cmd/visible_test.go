package cmd

import "testing"

func TestVisible(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain\n\ttext é":         "plain\n\ttext é",
		"\x1b[2Jgone\x00":         `\x1b[2Jgone\x00`,
		"windows\r\n":             "windows\n",
		"over\rwritten\u009b\x7f": `over\x0dwritten\x9b\x7f`,
	} {
		if got := visible(text); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
