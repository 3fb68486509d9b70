package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"strings"
	"time"

	"chant/engine/store"
)

// Own is the name of the journal of what commands of chant have changed around runs, such as hooks and keys. No spec can
// have this name.
const Own = ".own"

// MachineKey names the key with which this machine signs.
const MachineKey = "this machine's key"

// RecordOwn records what a command of a person has changed around runs: for each thing its new value, "" for one that was
// removed.
func RecordOwn(st *store.Store, changes map[string]string, now time.Time) error {
	if len(changes) == 0 {
		return nil
	}
	told := map[string]string{}
	// The journal of chant is read by agents, and a value can be a secret.
	for name := range changes {
		told[name] = OwnValue(name, changes[name])
	}
	data, err := json.Marshal(told)
	if err != nil {
		return err
	}
	return Append(st, Own, Record{Time: now.UTC(), Step: Step(Own), State: Done, Data: data})
}

// RecordDifference is RecordOwn for two readings of the same things.
func RecordDifference(st *store.Store, was, is map[string]string, now time.Time) error {
	changes := maps.Clone(is)
	maps.DeleteFunc(changes, func(name, value string) bool { return was[name] == value })
	for name := range was {
		if _, there := is[name]; !there {
			changes[name] = ""
		}
	}
	return RecordOwn(st, changes, now)
}

// OwnValue is a value as the records have it. A setting may hold a secret.
func OwnValue(name, value string) string {
	// Only a setting of git may hold a secret.
	if value == "" || !strings.HasPrefix(name, "git setting ") {
		return value
	}
	sum := sha256.Sum256([]byte(value))
	return hex.EncodeToString(sum[:8])
}

// ReadOwn returns what commands of chant have changed: the last value of each thing. With a secret, only sealed records
// count.
func ReadOwn(st *store.Store, secret []byte) (map[string]string, error) {
	lines, err := st.Records(Own)
	if err != nil {
		return nil, err
	}
	if secret != nil {
		lines = SealedLines(secret, Own, lines)
	}
	// Later records replace earlier ones.
	all := map[string]string{}
	for _, line := range lines {
		var rec Record
		if decodes(line, &rec) && rec.Step == Step(Own) {
			decode(rec.Data, &all)
		}
	}
	return all, nil
}
