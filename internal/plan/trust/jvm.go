package trust

import (
	"regexp"
	"strings"
	"sync"
)

// Options that only size and tune a JVM. Any other option may run commands (OnOutOfMemoryError), load code (-javaagent, -D of a
// class loader), write files (-Xlog, HeapDumpPath) or read more options (Flags, VMOptionsFile).
var (
	jvmSwitches = []string{
		"UseSerialGC", "UseParallelGC", "UseG1GC", "UseZGC", "ZGenerational", "UseShenandoahGC", "UseEpsilonGC",
		"UnlockExperimentalVMOptions", "AlwaysPreTouch", "DisableExplicitGC", "ExplicitGCInvokesConcurrent",
		"UseAdaptiveSizePolicy", "UseDynamicNumberOfGCThreads", "ParallelRefProcEnabled", "UseStringDeduplication",
		"UseCompressedOops", "UseCompressedClassPointers", "UseCompactObjectHeaders", "UseLargePages",
		"UseTransparentHugePages", "UseNUMA", "UseTLAB", "ResizeTLAB", "ZUncommit", "UseContainerSupport",
		"TieredCompilation", "BackgroundCompilation", "SegmentedCodeCache", "UseCodeCacheFlushing", "DoEscapeAnalysis",
		"EliminateAllocations", "EliminateLocks", "OptimizeStringConcat", "UseSuperWord", "UseCountedLoopSafepoints",
		"PrintCompilation", "PrintGC", "PrintGCDetails",
	}
	jvmNumbers = []string{
		"InitialHeapSize", "MinHeapSize", "MaxHeapSize", "SoftMaxHeapSize", "NewSize", "MaxNewSize", "MaxRAM",
		"InitialRAMPercentage", "MinRAMPercentage", "MaxRAMPercentage", "NewRatio", "SurvivorRatio", "MaxTenuringThreshold",
		"MinHeapFreeRatio", "MaxHeapFreeRatio", "MaxDirectMemorySize", "MetaspaceSize", "MaxMetaspaceSize",
		"CompressedClassSpaceSize", "ThreadStackSize", "TLABSize", "ObjectAlignmentInBytes",
		"MaxGCPauseMillis", "GCPauseIntervalMillis", "GCTimeRatio", "ParallelGCThreads", "ConcGCThreads",
		"InitiatingHeapOccupancyPercent", "G1HeapRegionSize", "G1NewSizePercent", "G1MaxNewSizePercent", "G1ReservePercent",
		"G1MixedGCCountTarget", "ZAllocationSpikeTolerance", "ZCollectionInterval", "ZUncommitDelay",
		"SoftRefLRUPolicyMSPerMB", "ActiveProcessorCount", "CICompilerCount", "TieredStopAtLevel", "CompileThreshold",
		"InitialCodeCacheSize", "ReservedCodeCacheSize", "MaxInlineSize", "FreqInlineSize", "MaxInlineLevel",
		"InlineSmallCode", "LoopUnrollLimit", "AutoBoxCacheMax", "StringTableSize",
	}
	jvmProperties = []string{
		`java\.net\.preferIPv4Stack`, `java\.net\.preferIPv6Addresses`, `io\.netty\.eventLoopThreads`,
		`io\.netty\.allocator\.type`, `io\.netty\.noPreferDirect`, `io\.netty\.leakDetection\.level`,
	}
)

// tuning compiles its pattern with the first use: that takes 1 ms, which no worker is to wait for when it starts.
var tuning = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\A(?:` + strings.Join([]string{
		`-X(?:ms|mx|mn|ss)[0-9]+[kKmMgGtT]?`,
		`-X(?:int|mixed|comp|batch|noclassgc)|-server|-verbose:gc`,
		`-XX:[+-](?:` + strings.Join(jvmSwitches, "|") + `)`,
		`-XX:(?:` + strings.Join(jvmNumbers, "|") + `)=[0-9]+(?:\.[0-9]+)?[kKmMgGtT]?`,
		`-D(?:` + strings.Join(jvmProperties, "|") + `)=[A-Za-z0-9]+`,
	}, "|") + `)\z`)
})

// tunes reports whether an option does nothing but size and tune a JVM.
func tunes(word string) bool { return tuning().MatchString(word) }
