package rpcbench.worker;

import rpcbench.worker.v1.Worker.Event;
import rpcbench.worker.v1.Worker.Fault;

/** A Command that can't be honoured, which becomes a Fault. */
final class FaultException extends Exception {
  private final String field;

  /**
   * @param field of the Command, "serve.stack"; empty when no field is to blame
   * @param message one sentence
   */
  FaultException(String field, String message) {
    super(message, null, false, false);
    this.field = field;
  }

  String field() {
    return field;
  }

  Event event() {
    return Event.newBuilder().setFault(Fault.newBuilder().setField(field).setMessage(getMessage())).build();
  }
}
