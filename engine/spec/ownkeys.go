package spec

import (
	"reflect"
	"slices"
	"strings"
)

// OwnKeys lists the front-matter keys whose meaning is chant's: they say where a spec
// stands, what it waits for and what it is judged by. Keys that only describe a spec,
// though chant reads them, are not among them.
func OwnKeys() []string {
	describing := []string{"labels", "context", "priority"}
	var out []string
	fields := reflect.TypeFor[Fields]()
	for i := range fields.NumField() {
		name, _, _ := strings.Cut(fields.Field(i).Tag.Get("yaml"), ",")
		if !slices.Contains(describing, name) {
			out = append(out, name)
		}
	}
	return out
}
