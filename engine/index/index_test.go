package index

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"chant/engine/stamp"

	"pgregory.net/rapid"
)

const folder = "specs"

func open(t testing.TB, dir string) *Index {
	t.Helper()
	x := Open(t.Context(), dir, "test")
	if x == nil {
		t.Fatal("there is no index")
	}
	return x
}

func rowOf(name, data string, refs ...string) Row {
	return Row{Name: name, Stamp: stamp.Stamp{Modified: -1, Changed: 2, Size: int64(len(data)), Inode: 1 << 60}, Data: data, Refs: refs}
}

// stored returns the data of all rows by name.
func stored(t testing.TB, x *Index) map[string]string {
	t.Helper()
	out := map[string]string{}
	x.View(t.Context(), func(v *View) {
		rows, ok := v.Rows(folder)
		if !ok {
			t.Error("the rows cannot be read")
		}
		if !slices.IsSortedFunc(rows, func(a, b Row) int { return strings.Compare(a.Name, b.Name) }) {
			t.Error("the rows are not in order")
		}
		for _, r := range rows {
			out[r.Name] = r.Data
		}
	})
	return out
}

// TestStore_asAMap: whatever rows are stored, replaced and removed, reading all of them, one of them or those with a ref
// gives what a map would give.
func TestStore_asAMap(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		x := open(t, dir)
		defer x.Close()
		model, refs := map[string]string{}, map[string]string{}
		for range rapid.IntRange(1, 4).Draw(rt, "batches") {
			b := Batch{Folder: folder}
			changed := map[string]bool{}
			for range rapid.IntRange(0, 400).Draw(rt, "changes") {
				name := fmt.Sprintf("s%03d", rapid.IntRange(0, 600).Draw(rt, "name"))
				if changed[name] {
					continue
				}
				changed[name] = true
				if _, ok := model[name]; ok && rapid.IntRange(0, 2).Draw(rt, "remove") == 0 {
					b.Gone = append(b.Gone, name)
					delete(model, name)
					delete(refs, name)
					continue
				}
				data := strings.Repeat("x", rapid.IntRange(0, 30).Draw(rt, "size"))
				model[name] = data
				delete(refs, name)
				row := rowOf(name, data)
				if rapid.Bool().Draw(rt, "ref") {
					row, refs[name] = rowOf(name, data, "target"), "target"
				}
				b.Rows = append(b.Rows, row)
			}
			names := append([]string{}, slices.Sorted(maps.Keys(model))...)
			b.List = &Folder{Names: names, Sum: fmt.Sprint(len(names))}
			x.View(t.Context(), func(v *View) { v.Store(b, 1) })
			if got := stored(t, x); !maps.Equal(got, model) {
				rt.Fatalf("%v, want %v", got, model)
			}
			x.View(t.Context(), func(v *View) {
				if f, ok := v.Folder(folder); !ok || !slices.Equal(f.Names, names) || f.Sum != b.List.Sum {
					rt.Fatalf("%q %q, %v, want %q", f.Names, f.Sum, ok, names)
				}
				if from, ok := v.Referrers(folder, "target"); !ok || !slices.Equal(from, slices.Sorted(maps.Keys(refs))) {
					rt.Fatalf("%q, %v, want %v", from, ok, refs)
				}
				for i := range 600 {
					name := fmt.Sprintf("s%03d", i)
					r, ok := v.Row(folder, name)
					if want, there := model[name]; ok != there || r.Data != want || ok && r.Stamp != rowOf(name, want).Stamp {
						rt.Fatalf("%s: %+v, %v, want %q, %v", name, r, ok, want, there)
					}
				}
			})
		}
	})
}

// TestStore_whoeverIsFaster: a batch made from an older generation is not stored.
func TestStore_whoeverIsFaster(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	x, y := open(t, dir), open(t, dir)
	defer x.Close()
	defer y.Close()
	x.View(t.Context(), func(older *View) {
		y.View(t.Context(), func(v *View) { v.Store(Batch{Folder: folder, Rows: []Row{rowOf("a", "faster")}}, 1) })
		older.Store(Batch{Folder: folder, Rows: []Row{rowOf("a", "slower"), rowOf("b", "")}}, 1)
	})
	if got := stored(t, x); !maps.Equal(got, map[string]string{"a": "faster"}) {
		t.Errorf("%v", got)
	}
}

// TestBlobs keeps blobs by their ids and places in commits, while they are used.
func TestBlobs(t *testing.T) {
	t.Parallel()
	x := open(t, t.TempDir())
	defer x.Close()
	used, unused := Place{"c1", "a.md"}, Place{"c2", "a.md"}
	view := func(act func(*View)) { x.View(t.Context(), act) }
	view(func(v *View) {
		v.Store(Batch{Blobs: map[string][]byte{"1": []byte("one"), "2": nil}, Places: map[Place]string{used: "1", unused: "2"}}, 100)
	})
	view(func(v *View) {
		if data, ok := v.Blob("1"); !ok || string(data) != "one" {
			t.Errorf("%q, %v", data, ok)
		}
		if data, ok := v.Blob("2"); !ok || len(data) != 0 {
			t.Errorf("%q, %v", data, ok)
		}
		if oid, ok := v.Place(used); !ok || oid != "1" {
			t.Errorf("%q, %v", oid, ok)
		}
	})
	view(func(v *View) {
		v.Store(Batch{Blobs: map[string][]byte{"3": nil}, Seen: map[Place]string{used: "1"}}, 100+keptDays)
	})
	view(func(v *View) { v.Store(Batch{Blobs: map[string][]byte{"4": nil}}, 101+keptDays) })
	view(func(v *View) {
		_, one := v.Blob("1")
		_, two := v.Blob("2")
		_, of := v.Place(used)
		_, gone := v.Place(unused)
		if !one || two || !of || gone {
			t.Errorf("used: %v %v, unused: %v %v", one, of, two, gone)
		}
	})
}

// TestOpen_setsAside: a file that is broken, foreign or of another format is set aside, and a new one is used.
func TestOpen_setsAside(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(t *testing.T, path string){
		"no database": func(t *testing.T, path string) { overwrite(t, path, 0, "This is not a database.") },
		"cut":         func(t *testing.T, path string) { truncate(t, path, 5000) },
		"foreign": func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			change(t, path, "CREATE TABLE other (x)")
		},
		"newer":    func(t *testing.T, path string) { change(t, path, "UPDATE meta SET format = 'rows 99 test'") },
		"no table": func(t *testing.T, path string) { change(t, path, "DROP TABLE meta") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			x := open(t, dir)
			var rows []Row
			for i := range 300 {
				rows = append(rows, rowOf(fmt.Sprintf("%03d", i), strings.Repeat("data", 20)))
			}
			x.View(t.Context(), func(v *View) { v.Store(Batch{Folder: folder, Rows: rows}, 1) })
			x.Close()
			path := filepath.Join(dir, Name)
			spoil(t, path)
			for range 3 { // damage may be noticed only when rows are read
				x = open(t, dir)
				x.View(t.Context(), func(v *View) { v.Rows(folder) })
				x.View(t.Context(), func(v *View) { v.Store(Batch{Folder: folder, Rows: []Row{rowOf("a", "new")}}, 1) })
				x.Close()
			}
			x = open(t, dir)
			defer x.Close()
			if got := stored(t, x); !reflect.DeepEqual(got, map[string]string{"a": "new"}) {
				t.Errorf("%d rows", len(got))
			}
			if _, err := os.Stat(path + ".set-aside"); err != nil {
				t.Error(err)
			}
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
						stored = v.Store(Batch{Values: map[Key][]byte{{Kind: "test", Name: strconv.Itoa(i)}: {1}}}, 1)
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
		if _, err := os.Stat(filepath.Join(dir, Name+".set-aside")); err == nil {
			t.Fatal("a good file was set aside")
		}
	}
}

// TestOpen_locked: a file that another process locks is left alone.
func TestOpen_locked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	Open(t.Context(), dir, "test").Close()
	db, err := sql.Open("sqlite", filepath.Join(dir, Name)+"?_pragma=locking_mode(EXCLUSIVE)")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(t.Context(), "UPDATE meta SET generation = 7"); err != nil {
		t.Fatal(err)
	}
	if x := Open(t.Context(), dir, "test"); x != nil {
		t.Error("a locked file was opened")
		x.Close()
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	x := Open(t.Context(), dir, "test")
	defer x.Close()
	x.View(t.Context(), func(v *View) {
		if v == nil || v.generation != 7 {
			t.Error("the file was replaced")
		}
	})
}

// TestView_brokenPage: a page whose bytes were changed is not used, and the file is set aside.
func TestView_brokenPage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	x := open(t, dir)
	x.View(t.Context(), func(v *View) { v.Store(Batch{Folder: folder, Rows: []Row{rowOf("a", "data")}}, 1) })
	x.Close()
	change(t, filepath.Join(dir, Name), "UPDATE page SET data = CAST(replace(CAST(data AS TEXT), 'data', 'dada') AS BLOB)")
	x = open(t, dir)
	x.View(t.Context(), func(v *View) {
		if rows, ok := v.Rows(folder); ok {
			t.Errorf("%+v", rows)
		}
	})
	x.Close()
	if _, err := os.Stat(filepath.Join(dir, Name+".set-aside")); err != nil {
		t.Error(err)
	}
}

// TestOpen_unusable: without a place for the file there is no index, and no error.
func TestOpen_unusable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, Name), 0o755); err != nil { // a folder in its place
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, Name+".set-aside"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, where := range []string{filepath.Join(dir, "file"), filepath.Join(dir, "file", "below"), dir} {
		x := Open(t.Context(), where, "test")
		called := false
		x.View(t.Context(), func(v *View) {
			called = true
			v.Store(Batch{Folder: folder, Rows: []Row{rowOf("a", "")}}, 1)
			if rows, ok := v.Rows(folder); ok {
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
		v.Store(Batch{Folder: folder, Rows: []Row{rowOf("a", "")}}, 1)
	})
	if got := stored(t, x); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

func FuzzDecodePage(f *testing.F) {
	f.Add(encodePage([]Row{rowOf("a", "data"), rowOf("b", "")})[4:])
	f.Fuzz(func(t *testing.T, body []byte) {
		rows, err := decodePage(seal(body), nil)
		if err != nil {
			return
		}
		again, err := decodePage(encodePage(rows), nil)
		if err != nil || len(again) != len(rows) {
			t.Errorf("%+v, then %+v, %v", rows, again, err)
		}
	})
}

func change(t *testing.T, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
}

func overwrite(t *testing.T, path string, at int64, text string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteAt([]byte(text), at); err != nil {
		t.Fatal(err)
	}
}

func truncate(t *testing.T, path string, size int64) {
	t.Helper()
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
}

// TestSegments_versions: segments of a kind replace those of its other versions, and no others.
func TestSegments_versions(t *testing.T) {
	t.Parallel()
	x := open(t, t.TempDir())
	defer x.Close()
	for _, kind := range []string{"texts 1", "text 1", "texts 1", "texts 2"} {
		x.View(t.Context(), func(v *View) { v.Store(Batch{Segments: []Segment{{Kind: kind, Data: []byte(kind)}}}, 1) })
	}
	x.View(t.Context(), func(v *View) {
		for kind, want := range map[string]int{"texts 1": 0, "text 1": 1, "texts 2": 1} {
			if list, ok := v.Segments(kind); !ok || len(list) != want {
				t.Errorf("%s: %d segments, %v, want %d", kind, len(list), ok, want)
			}
		}
	})
}
