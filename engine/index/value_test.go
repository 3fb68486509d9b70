package index

import (
	"fmt"
	"maps"
	"testing"

	"pgregory.net/rapid"
)

// TestValues_asAMap: whatever values are stored, replaced, removed and cleared, reading them gives what a map would give.
func TestValues_asAMap(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		x := open(t, t.TempDir())
		defer x.Close()
		model := map[Key]string{}
		for range rapid.IntRange(1, 4).Draw(rt, "batches") {
			b := Batch{Values: map[Key][]byte{}}
			if rapid.IntRange(0, 4).Draw(rt, "clear") == 0 {
				b.Cleared = []string{"a"}
				maps.DeleteFunc(model, func(k Key, _ string) bool { return k.Kind == "a" })
			}
			for range rapid.IntRange(0, 30).Draw(rt, "changes") {
				key := Key{rapid.SampledFrom([]string{"a", "b"}).Draw(rt, "kind"), fmt.Sprint(rapid.IntRange(0, 9).Draw(rt, "name"))}
				text := rapid.StringN(0, 9, -1).Draw(rt, "text")
				if b.Values[key] = []byte(text); rapid.Bool().Draw(rt, "remove") {
					b.Values[key] = nil
					delete(model, key)
					continue
				}
				model[key] = text
			}
			x.View(t.Context(), func(v *View) { v.Store(b, 1) })
		}
		x.View(t.Context(), func(v *View) {
			for _, kind := range []string{"a", "b"} {
				var names []string
				for i := range 12 {
					names = append(names, fmt.Sprint(i))
				}
				values, ok := v.Values(kind, names...)
				if !ok {
					rt.Fatal("the values cannot be read")
				}
				for _, name := range names {
					want, has := model[Key{kind, name}]
					if got, stored := values[name]; stored != has || string(got) != want {
						rt.Errorf("%s %s: %q, %v; want %q, %v", kind, name, got, stored, want, has)
					}
				}
			}
		})
	})
	var none *View
	if values, ok := none.Values("a", "b"); ok || values != nil {
		t.Error("values without an index")
	}
}
