package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"chant/engine/spec"
	"chant/engine/store/disk"
	"chant/engine/store/index"
	"chant/engine/store/record"

	"github.com/alecthomas/assert/v2"
)

// fill sets every field of a value, so that a field that cannot be stored is noticed.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("pending")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Uint64:
		v.SetUint(7)
	case reflect.Float64:
		v.SetFloat(1.5)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Map:
		key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key)
		fill(elem)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, elem)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	default:
		panic(v.Kind().String())
	}
}

// TestStoredSpec_everyField: a row keeps every field of the facts, and a missing list is not an empty one.
func TestStoredSpec_everyField(t *testing.T) {
	t.Parallel()
	var full storedSpec
	fill(reflect.ValueOf(&full).Elem())
	empty := storedSpec{Facts: spec.Facts{Fields: &spec.Fields{DependsOn: spec.StringList{}}}}
	for _, want := range []storedSpec{full, empty, {}} {
		var got storedSpec
		err := record.Decode(string(record.Encode(want)), &got)
		assert.NoError(t, err)
		assert.Equal(t, want, got)
	}
}

// TestLoad_fromRows: specs that come from rows are as those that come from files, in all that is known of them.
func TestLoad_fromRows(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending", idB, "completed")
	p.put(SpecPath(idC), "---\ntype: driver\ndepends_on: []\nmembers: ["+idA+"]\napproval: {required: true, status: approved, by: A, hash: x}\n---\n# T\n\n## Acceptance Criteria\n\n- [ ] x\n")
	p.put(SpecPath("broken"), "---\nstatus: nonsense\n---\n")
	p.runBranch(idA, "---\nstatus: in_progress\n---\n# On its branch\n")
	plain := p.load()
	indexed(p)
	for round := range 3 {
		got := p.load()
		assert.Equal(t, plain, got, "round %d", round)
	}
	x := openIndex(context.Background(), p.Store)
	defer x.Close()
	x.View(context.Background(), func(v *index.View) {
		rows, ok := v.All(rowKind)
		if !ok || len(rows) != 4 {
			t.Errorf("%d rows, %v", len(rows), ok)
		}
		if blobs, ok := v.ValueNames(blobKind); !ok || len(blobs) != 1 {
			t.Errorf("blobs of the branch: %q, %v", blobs, ok)
		}
		if from, ok := v.Referrers(idA); !ok || len(from) != 1 || from[0] != idC {
			t.Errorf("drivers that name %s: %q, %v", idA, from, ok)
		}
	})
}

// TestLoad_changedFiles: a file that was replaced, overwritten with its former size and time, removed or added is read
// again.
func TestLoad_changedFiles(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending", idB, "pending", idC, "pending")
	p.Index = IndexAlways
	at := time.Now().Add(time.Hour)
	p.Clock = func() time.Time { return at }
	p.load()
	path := filepath.Join(p.home, SpecPath(idA))
	before, err := os.Stat(path)
	assert.NoError(t, err)
	p.put(SpecPath(idA), "---\nstatus: failed # so!\n---\n# A title\n") // as long as before
	if after, err := os.Stat(path); err != nil || after.Size() != before.Size() {
		t.Fatal(after.Size(), before.Size(), err)
	}
	assert.NoError(t, os.Chtimes(path, before.ModTime(), before.ModTime()))
	put(t, filepath.Join(p.home, "new"), withStatus("paused"))
	assert.NoError(t, os.Rename(filepath.Join(p.home, "new"), filepath.Join(p.home, SpecPath(idB))))
	assert.NoError(t, os.Remove(filepath.Join(p.home, SpecPath(idC))))
	p.put(SpecPath(idC+".1"), withStatus("cancelled"))
	want := idA + " failed\n" + idB + " paused\n" + idC + ".1 cancelled"
	for range 2 {
		assert.Equal(t, want, brief(p.load().Specs))
	}
	assert.Equal(t, 3, rowsOf(t, p))
}

// TestLoad_unsettled: a file that was written just now is read again each time, because another write could leave the
// same stamp.
func TestLoad_unsettled(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending")
	p.Index = IndexAlways
	p.Clock = func() time.Time { return time.Now().Add(-time.Hour) } // as if the file were written in an hour
	p.load()
	x := openIndex(context.Background(), p.Store)
	defer x.Close()
	x.View(context.Background(), func(v *index.View) {
		if rows, ok := v.All(rowKind); !ok || len(rows) != 0 {
			t.Errorf("%d rows, %v", len(rows), ok)
		}
		if f, ok := storedFiles(v); ok && f.Stamp.Known() {
			t.Errorf("the names of the folder are trusted: %+v", f)
		}
	})
}

// TestLoad_lockedIndex: an index that another program keeps locked is left alone, and queries answer without it.
func TestLoad_lockedIndex(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending", idB, "pending")
	indexed(p)
	p.load()
	folder := p.State()
	db, err := sql.Open("sqlite", filepath.Join(folder, index.Name)+"?_pragma=locking_mode(EXCLUSIVE)")
	assert.NoError(t, err)
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("UPDATE meta SET generation = generation"); err != nil { // it keeps the lock from now on
		t.Fatal(err)
	}
	p.put(SpecPath(idB), withStatus("failed"))
	got := p.load()
	assert.Equal(t, 2, len(got.Specs))
	assert.Equal(t, spec.Failed, got.Specs[1].Status)
	assert.NoError(t, db.Close())
	assert.Equal(t, 2, rowsOf(t, p))
	_, err = os.Stat(filepath.Join(folder, index.Name+".set-aside"))
	assert.Error(t, err, "it was set aside")
}

// rowsOf returns how many rows of specs the index has.
func rowsOf(t *testing.T, p *project) (n int) {
	t.Helper()
	x := openIndex(t.Context(), p.Store)
	defer x.Close()
	x.View(t.Context(), func(v *index.View) {
		rows, _ := v.All(rowKind)
		n = len(rows)
	})
	return n
}

// TestFactsVersion: texts that give other facts than before need another factsVersion. If only the type of the facts
// has changed, the digest alone is replaced, because record.Format differs then.
func TestFactsVersion(t *testing.T) {
	t.Parallel()
	sum := sha256.New()
	for _, text := range []string{
		"", "no front matter\n", "# Title\n", "---\nstatus: ready\n---\n\ufeff# T\n", "---\nstatus: nonsense\n---\n", "---\nopen\n",
		"---\ntype: driver\nstatus: completed\ndepends_on: []\nlabels: a\nmembers: [x, y]\npriority: high\nlimits: {time: 5m, cost: 2.5}\n---\n\n" +
			"Setext\n======\n\n## acceptance CRITERIA\n\n- [ ] one\n- [x] two `$ true`\n\n```\n- [ ] three\n```\n",
		"---\napproval: {required: true, status: approved, by: A, hash: x}\nverify: {commands: [make], protect: [a]}\n---\n# A\n\n## Discussion\n\nx\n",
	} {
		got, err := withoutFile(spec.Parse("id", "path", []byte(text)))
		data, ok := encodeSpec(got, err, disk.Stamp{}, true)
		assert.True(t, ok, "%q: %v", text, err)
		fmt.Fprintf(sum, "%d %s\n", len(data), data)
	}
	const version, digest = "2", "73698b2a5f7a8bb4"
	got := hex.EncodeToString(sum.Sum(nil))[:16]
	assert.Equal(t, version, factsVersion)
	assert.Equal(t, digest, got)
}
