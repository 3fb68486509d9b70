package command

import (
	"fmt"
	"testing"
)

// BenchmarkParseRegistry reads a registry with 5,000 commands.
func BenchmarkParseRegistry(b *testing.B) {
	r := &Registry{Version: "1.0.0", Description: "d"}
	for i := range 5000 {
		r.Commands = append(r.Commands, Command{
			Name: Name{"domain", fmt.Sprintf("action-%d", i), "target"}, Description: "Review the changes of a branch and propose what can be done better before it is merged",
			Usage: "climpt-domain action target", Options: &Options{Edition: []string{"default"}, Adaptation: []string{"default", "detailed"}, Stdin: true},
			Variables: Variables{{"target", "The branch, or its name"}},
		})
	}
	src, err := r.Format()
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if _, err := ParseRegistry("r.json", string(src)); err != nil {
			b.Fatal(err)
		}
	}
}
