package rpcbench.load;

import java.util.List;
import java.util.function.LongToIntFunction;
import rpcbench.stack.Caller;

/**
 * Has each call made by one of several Callers of its slot. Which one depends on the call's number alone: of an open load that of
 * its arrival; of a closed one m + 2^40·(s·parts + part), for call m of the phase, from 0, in slot s of the part.
 *
 * @param slots the Callers of each slot, in the order of the calls that draw chooses from
 * @param draw returns the call of a number; safe for concurrent use
 */
public record Mix(List<List<Caller>> slots, LongToIntFunction draw) {
  /** The binary logarithm of how many calls a slot makes before it draws those of another one. */
  private static final int SLOT_CALLS = 40;

  /** Returns how many calls there are to choose from. */
  int size() {
    return slots.get(0).size();
  }

  /** Returns which call the next one of a closed load's slot is. */
  int ofSlot(Schedule schedule, Slot slot) {
    long number = (long) slot.index * schedule.parts() + schedule.part();
    return draw.applyAsInt((number << SLOT_CALLS) + slot.arrivals);
  }
}
