package lint

import "slices"

// Rule is one thing that is checked.
type Rule struct {
	ID       string
	Text     string // one sentence
	Severity Severity
	Stops    bool // an error of this rule stops work
}

// The rules about files that are no specs or no readable ones: whoever reads them finds
// what they are about. That of prompts is about what specs name, too.
const (
	ParseRule        = "parse"
	DuplicateKeyRule = "duplicate_key"
	ConfigRule       = "config"
	PromptRule       = "prompt"
)

// Rules lists every rule.
func Rules() []Rule {
	return []Rule{
		{ParseRule, "The file can be read", Error, true},
		{DuplicateKeyRule, "No key of the front matter stands twice", Error, true},
		{ConfigRule, "The settings name nothing unknown", Warning, false},

		{"id", "The file name is an id", Error, true},
		{"title", "The spec has a title", Error, true},
		{"status", "The status is one that a file keeps", Warning, false},
		{"type", "The type is known", Warning, false},
		{"priority", "The priority is a word or a number that is known", Error, true},
		{"model", "The model is one word", Warning, false},
		{"provider", "The provider exists", Warning, false},
		{"script", "A spec that the provider shell works has a script", Warning, false},
		{PromptRule, "Every prompt exists, can be put together and names known variables", Warning, false},
		{"context", "Every file that is quoted to the agent can be read", Warning, false},
		{"unknown_key", "Every key of the front matter means something", Warning, false},
		{"duplicate_item", "No list of the front matter names a thing twice", Warning, false},
		{"entry", "Every entry of tracks, origin, informed_by and target_files can mean a path", Warning, false},
		{"required", "The fields that the project demands are filled in", Error, true},

		{"dependency", "Every dependency exists", Error, true},
		{"member", "Every member exists", Error, true},
		{"cycle", "No spec waits for itself", Error, true},
		{"approval", "An approval says what was decided, by whom and when", Error, true},
		{"output_schema", "The output schema can be read", Error, true},

		{"criteria", "Something says when the spec is done", Warning, false},
		{"box", "Every box of a criterion is written so that it counts", Warning, false},
		{"open_criterion", "No criterion is open where no work goes on", Warning, false},
		{"empty_command", "The command of a criterion says what to run", Error, true},
		{"near_command", "What looks like the command of a criterion is one", Warning, false},
		{"dead_command", "The program that a criterion runs exists", Warning, false},
		{"criterion_verb", "A criterion says what is or happens", Warning, false},
		{"duplicate_criterion", "No criterion stands twice", Warning, false},

		{"documentation", "Documentation names what it tracks and where it goes", Warning, false},
		{"research", "Research names what it starts from and where it goes", Warning, false},
		{"driver", "A driver has members", Warning, false},

		{"complexity_criteria", "Not more criteria than one spec can hold", Warning, false},
		{"complexity_files", "Not more target files than one spec can hold", Warning, false},
		{"complexity_words", "Not more words than one spec can hold", Off, false},
		{"coupling", "A spec that is mentioned is depended on", Warning, false},
		{"model_waste", "No costly model for a trifle", Warning, false},
		{"overlap", "Open specs that do not wait for each other have their own files", Warning, false},
	}
}

// ruleNamed finds a rule.
func ruleNamed(id string) (Rule, bool) {
	all := Rules()
	i := slices.IndexFunc(all, func(r Rule) bool { return r.ID == id })
	if i < 0 {
		return Rule{}, false
	}
	return all[i], true
}
