package result

// A WarningCode classifies a Warning.
type WarningCode string

// Codes of warnings.
const (
	WarningNoProfile  WarningCode = "no_profile"     // a process can't make one
	WarningCutProfile WarningCode = "profile_cut"    // it is not whole
	WarningCutDump    WarningCode = "dump_cut"       // it is not whole
	WarningCutOutput  WarningCode = "output_cut"     // what a process printed is not whole
	WarningStoodStill WarningCode = "stood_still"    // rpcbench itself
	WarningUseUnknown WarningCode = "use_unknown"    // of the processes, when the trial ended
	WarningUnwatched  WarningCode = "host_unwatched" // what a host did is not known
	WarningCutCourse  WarningCode = "course_cut"     // its intervals and windows took too much
)

// A Warning is something that readers of a trial's figures should know.
type Warning struct {
	Code WarningCode `json:"code"`
	Text string      `json:"text"` // a sentence, without a full stop
}
