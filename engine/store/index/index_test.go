package index

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/alecthomas/assert/v2"
	"pgregory.net/rapid"
)

func open(t testing.TB, dir string) *Index {
	t.Helper()
	x := Open(t.Context(), dir, "test")
	assert.True(t, x != nil, "there is no index")
	return x
}

// valuesOf is a batch with values of a kind.
func valuesOf(values map[string]string) (b Batch) {
	for name, data := range values {
		b.Put("kind", name, []byte(data))
	}
	return b
}

// stored returns all values of the kind.
func stored(t testing.TB, x *Index) map[string]string {
	t.Helper()
	out := map[string]string{}
	x.View(t.Context(), func(v *View) {
		values, ok := v.All("kind")
		if !ok {
			t.Error("the values cannot be read")
		}
		for _, one := range values {
			out[one.Name] = string(one.Data)
		}
	})
	return out
}

// TestStore_asMaps: whatever values and refs are stored, replaced, removed and cleared, reading them gives what maps
// would give.
func TestStore_asMaps(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		x := open(t, t.TempDir())
		defer x.Close()
		model, refs := map[Key]string{}, map[string]string{}
		for range rapid.IntRange(1, 4).Draw(rt, "batches") {
			var b Batch
			if rapid.IntRange(0, 4).Draw(rt, "clear") == 0 {
				b.Cleared = []string{"a"}
				maps.DeleteFunc(model, func(k Key, _ string) bool { return k.Kind == "a" })
			}
			for range rapid.IntRange(0, 30).Draw(rt, "changes") {
				key := Key{rapid.SampledFrom([]string{"a", "b"}).Draw(rt, "kind"), fmt.Sprint(rapid.IntRange(0, 19).Draw(rt, "name"))}
				text := rapid.StringN(0, 9, -1).Draw(rt, "text")
				if b.Put(key.Kind, key.Name, []byte(text)); rapid.Bool().Draw(rt, "remove") {
					b.Put(key.Kind, key.Name, nil)
					delete(model, key)
					continue
				}
				model[key] = text
			}
			b.Refs = map[string][]string{}
			for range rapid.IntRange(0, 9).Draw(rt, "refs") {
				name := fmt.Sprint(rapid.IntRange(0, 9).Draw(rt, "from"))
				refs[name] = rapid.SampledFrom([]string{"", "x", "y"}).Draw(rt, "target")
				if b.Refs[name] = nil; refs[name] != "" {
					b.Refs[name] = []string{refs[name], "both"}
				}
			}
			x.View(t.Context(), func(v *View) { v.Store(b) })
		}
		x.View(t.Context(), func(v *View) {
			for _, kind := range []string{"a", "b"} {
				var names, want []string
				for i := range 22 {
					names = append(names, fmt.Sprint(i))
				}
				slices.Sort(names)
				values, ok := v.Values(kind, names...)
				if !ok {
					rt.Fatal("the values cannot be read")
				}
				for _, name := range names {
					text, has := model[Key{kind, name}]
					if got, stored := values[name]; stored != has || string(got) != text {
						rt.Errorf("%s %s: %q, %v; want %q, %v", kind, name, got, stored, text, has)
					}
					if got, stored := v.Value(kind, name); stored != has || string(got) != text {
						rt.Errorf("%s %s alone: %q, %v; want %q, %v", kind, name, got, stored, text, has)
					}
					if has {
						want = append(want, name)
					}
				}
				if got, ok := v.ValueNames(kind); !ok || !slices.Equal(got, want) {
					rt.Errorf("%s: names %q, %v; want %q", kind, got, ok, want)
				}
				all, ok := v.All(kind)
				if !ok || !slices.EqualFunc(all, want, func(one Value, name string) bool {
					return one.Name == name && string(one.Data) == model[Key{kind, name}]
				}) {
					rt.Errorf("%s: %q, %v; want %q", kind, all, ok, want)
				}
			}
			for _, target := range []string{"x", "y", "both"} {
				var want []string
				for name, to := range refs {
					if to == target || target == "both" && to != "" {
						want = append(want, name)
					}
				}
				slices.Sort(want)
				if got, ok := v.Referrers(target); !ok || !slices.Equal(got, want) {
					rt.Errorf("refs to %s: %q, %v; want %q", target, got, ok, want)
				}
			}
		})
	})
	var none *View
	values, ok := none.Values("a", "b")
	assert.False(t, ok, "values without an index")
	assert.True(t, values == nil, "values without an index")
}

// TestStore_whoeverIsFaster: a batch made from an older generation is not stored.
func TestStore_whoeverIsFaster(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	x, y := open(t, dir), open(t, dir)
	defer x.Close()
	defer y.Close()
	x.View(t.Context(), func(older *View) {
		y.View(t.Context(), func(v *View) { v.Store(valuesOf(map[string]string{"a": "faster"})) })
		older.Store(valuesOf(map[string]string{"a": "slower", "b": ""}))
	})
	assert.Equal(t, map[string]string{"a": "faster"}, stored(t, x))
}

// TestOpen_setsAside: a file that is broken, foreign or of another format is set aside, and a new one is used.
func TestOpen_setsAside(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(t *testing.T, path string){
		"no database": func(t *testing.T, path string) { overwrite(t, path, 0, "This is not a database.") },
		"cut":         func(t *testing.T, path string) { truncate(t, path, 5000) },
		"foreign": func(t *testing.T, path string) {
			assert.NoError(t, os.Remove(path))
			change(t, path, "CREATE TABLE other (x)")
		},
		"newer":    func(t *testing.T, path string) { change(t, path, "UPDATE meta SET format = 'rows 99 test'") },
		"no table": func(t *testing.T, path string) { change(t, path, "DROP TABLE meta") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			x := open(t, dir)
			rows := map[string]string{}
			for i := range 300 {
				rows[strconv.Itoa(i)] = strings.Repeat("data", 20)
			}
			x.View(t.Context(), func(v *View) { v.Store(valuesOf(rows)) })
			x.Close()
			path := filepath.Join(dir, Name)
			spoil(t, path)
			for range 3 { // damage may be noticed only when rows are read
				x = open(t, dir)
				x.View(t.Context(), func(v *View) { v.All("kind") })
				x.View(t.Context(), func(v *View) { v.Store(valuesOf(map[string]string{"a": "new"})) })
				x.Close()
			}
			x = open(t, dir)
			defer x.Close()
			got := stored(t, x)
			assert.Equal(t, map[string]string{"a": "new"}, got, "%d rows", len(got))
			_, err := os.Stat(path + ".set-aside")
			assert.NoError(t, err)
		})
	}
}

// TestOpen_atOnce: processes that open a new file at the same time get the same one.
func TestOpen_atOnce(t *testing.T) {
	t.Parallel()
	for range 6 {
		dir := t.TempDir()
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				x := Open(t.Context(), dir, "test")
				if x == nil {
					t.Error("no index")
					return
				}
				defer x.Close()
				stored := false
				for range 1000 { // others may be faster
					x.View(t.Context(), func(v *View) {
						stored = v.Store(Batch{Values: map[Key][]byte{{Kind: "test", Name: strconv.Itoa(i)}: {1}}})
					})
					if stored {
						return
					}
				}
				t.Error("it could not be stored")
			})
		}
		all.Wait()
		x := Open(t.Context(), dir, "test")
		x.View(t.Context(), func(v *View) {
			if names, _ := v.ValueNames("test"); len(names) != 8 {
				t.Errorf("only %q were kept", names)
			}
		})
		x.Close()
		_, err := os.Stat(filepath.Join(dir, Name+".set-aside"))
		assert.Error(t, err, "a good file was set aside")
	}
}

// TestOpen_locked: a file that another process locks is left alone.
func TestOpen_locked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	Open(t.Context(), dir, "test").Close()
	db, err := sql.Open("sqlite", filepath.Join(dir, Name)+"?_pragma=locking_mode(EXCLUSIVE)")
	assert.NoError(t, err)
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	_, err = db.ExecContext(t.Context(), "UPDATE meta SET generation = 7")
	assert.NoError(t, err)
	if x := Open(t.Context(), dir, "test"); x != nil {
		t.Error("a locked file was opened")
		x.Close()
	}
	assert.NoError(t, db.Close())
	x := Open(t.Context(), dir, "test")
	defer x.Close()
	x.View(t.Context(), func(v *View) {
		if v == nil || v.generation != 7 {
			t.Error("the file was replaced")
		}
	})
}

// TestView_brokenValue: a value whose bytes were changed is not used, and the file is set aside.
func TestView_brokenValue(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	x := open(t, dir)
	x.View(t.Context(), func(v *View) { v.Store(valuesOf(map[string]string{"a": "data"})) })
	x.Close()
	change(t, filepath.Join(dir, Name), "UPDATE value SET data = CAST(replace(CAST(data AS TEXT), 'data', 'dada') AS BLOB)")
	x = open(t, dir)
	x.View(t.Context(), func(v *View) {
		if rows, ok := v.All("kind"); ok {
			t.Errorf("%+v", rows)
		}
	})
	x.Close()
	_, err := os.Stat(filepath.Join(dir, Name+".set-aside"))
	assert.NoError(t, err)
}

// TestOpen_unusable: without a place for the file there is no index, and no error.
func TestOpen_unusable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	assert.NoError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o644))
	if err := os.Mkdir(filepath.Join(dir, Name), 0o755); err != nil { // a folder in its place
		t.Fatal(err)
	}
	assert.NoError(t, os.WriteFile(filepath.Join(dir, Name+".set-aside"), nil, 0o644))
	for _, where := range []string{filepath.Join(dir, "file"), filepath.Join(dir, "file", "below"), dir} {
		x := Open(t.Context(), where, "test")
		called := false
		x.View(t.Context(), func(v *View) {
			called = true
			v.Store(valuesOf(map[string]string{"a": ""}))
			if rows, ok := v.All("kind"); ok {
				t.Errorf("%s: %+v", where, rows)
			}
		})
		if x.Close(); !called {
			t.Errorf("%s: the query was not asked", where)
		}
	}
}

// TestView_canceled: a query whose caller has gone finds nothing and stores nothing.
func TestView_canceled(t *testing.T) {
	t.Parallel()
	x := open(t, t.TempDir())
	defer x.Close()
	ctx, cancel := context.WithCancel(t.Context())
	x.View(ctx, func(v *View) {
		cancel()
		v.Store(valuesOf(map[string]string{"a": ""}))
	})
	assert.Zero(t, stored(t, x))
}

func change(t *testing.T, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	assert.NoError(t, err)
	defer db.Close()
	_, err = db.Exec(statement)
	assert.NoError(t, err)
}

func overwrite(t *testing.T, path string, at int64, text string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	assert.NoError(t, err)
	defer file.Close()
	_, err = file.WriteAt([]byte(text), at)
	assert.NoError(t, err)
}

func truncate(t *testing.T, path string, size int64) {
	t.Helper()
	assert.NoError(t, os.Truncate(path, size))
}

// TestSegments_versions: segments of a kind replace those of its other versions, and no others.
func TestSegments_versions(t *testing.T) {
	t.Parallel()
	x := open(t, t.TempDir())
	defer x.Close()
	for _, kind := range []string{"texts 1", "text 1", "texts 1", "texts 2"} {
		x.View(t.Context(), func(v *View) { v.Store(Batch{Segments: []Segment{{Kind: kind, Data: []byte(kind)}}}) })
	}
	x.View(t.Context(), func(v *View) {
		for kind, want := range map[string]int{"texts 1": 0, "text 1": 1, "texts 2": 1} {
			if list, ok := v.Segments(kind); !ok || len(list) != want {
				t.Errorf("%s: %d segments, %v, want %d", kind, len(list), ok, want)
			}
		}
	})
}
