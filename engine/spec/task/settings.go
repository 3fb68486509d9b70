package task

import (
	"sync"

	"chant/engine/spec"
)

// Settings are what applies to the tasks of one project: the values that are allowed, and the defaults of new tasks.
// A list with "*", and an empty one, allows every value.
type Settings struct {
	Workspace      bool   // the statuses are those of a .tasks directory, else chant's own
	Project        string // the prefix of the project that they apply to, such as AUTH
	DefaultProject string // the prefix of new tasks that name no project
	Projects       []Project

	Statuses, Priorities, Types, Members, Tags, CustomFields []string // in the order of the settings

	StrictMembers bool // only members may report or be assigned

	DefaultAssignee, DefaultReporter, DefaultPriority, DefaultStatus string
	DefaultTags                                                      []string

	Auto Auto

	// BranchTypes, BranchStatuses and BranchPriorities map words of branch names to values.
	BranchTypes, BranchStatuses, BranchPriorities map[string]string

	Sprint SprintDefaults

	States map[string]spec.Status // tasks.statuses of chant's settings: words, and what they are to chant; may be nil
	Raw    map[string]any         // every other key as it was read

	known *sync.Map // what raw values are called; nil before Freeze
}

// Freeze marks the settings as unchanging. From then on the word for each value is computed once:
// lists ask for the same few values thousands of times.
func (s *Settings) Freeze() { s.known = &sync.Map{} }

// remember returns what a raw value is called, and computes it once.
func (s *Settings) remember(kind, raw string, compute func() string) string {
	// Settings that may still change must not remember what they computed.
	if s.known == nil {
		return compute()
	}
	key := [2]string{kind, raw}
	if word, ok := s.known.Load(key); ok {
		return word.(string)
	}
	word := compute()
	s.known.Store(key, word)
	return word
}

// Project is a project of a workspace.
type Project struct {
	Name   string `json:"name"`
	Prefix string `json:"prefix"`
}

// Auto says what chant fills in by itself.
type Auto struct {
	SetReporter, AssignOnStatus, PopulateMembers, CodeownersAssign, TagsFromPath bool
	BranchInferType, BranchInferStatus, BranchInferPriority                      bool
	Identity, IdentityGit                                                        bool
}

// SprintDefaults are the values of a new sprint that does not give its own.
type SprintDefaults struct {
	CapacityPoints, CapacityHours *int
	Length, OverdueAfter          string
	NotificationsEnabled          bool
}

// Defaults returns the settings of a workspace without a config.yml, or those of a project without a workspace, whose
// statuses are chant's own.
func Defaults(workspace bool) Settings {
	st := Settings{
		Workspace:       workspace,
		Statuses:        spec.StatusWords(),
		Priorities:      []string{"Low", "Medium", "High"},
		Types:           []string{"Feature", "Bug", "Chore"},
		Tags:            []string{"*"},
		CustomFields:    []string{"*"},
		DefaultPriority: "Medium",
		Auto: Auto{
			SetReporter: true, AssignOnStatus: true, PopulateMembers: true, CodeownersAssign: true, TagsFromPath: true,
			BranchInferType: true, BranchInferStatus: true, BranchInferPriority: true,
			Identity: true, IdentityGit: true,
		},
		Sprint: SprintDefaults{NotificationsEnabled: true},
	}
	if workspace {
		st.Statuses = []string{"Todo", "InProgress", "NeedsReview", "Done"}
	}
	return st
}
