package rpcbench.worker;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.ByteString;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import rpcbench.stack.Info;
import rpcbench.stack.Kind;
import rpcbench.worker.v1.Worker.Call;
import rpcbench.worker.v1.Worker.Connect;
import rpcbench.worker.v1.Worker.Recipe;

class RecipeCheckTest {
  private static final Info INFO =
      new Info(
          "caller", "grpc", "caller 1.0", false, true, List.of(Kind.UNARY), List.of("tcp"), List.of("plaintext"),
          List.of("none"), true, List.of(), List.of(), List.of(), true);

  private static Connect.Builder connect() {
    Connect.Builder connect = Connect.newBuilder();
    connect.getCallBuilder().setKind(Kind.UNARY).getRecipeBuilder().setMethod("a.B/C").getPreparedBuilder();
    return connect;
  }

  private static String fault(Connect.Builder connect) {
    return assertThrows(FaultException.class, () -> RecipeCheck.check(INFO, connect.build())).field();
  }

  @Test
  void whatARecipeOfAMethodCanNotHaveIsNamed() {
    Map<String, Consumer<Recipe.Builder>> changes = new LinkedHashMap<>();
    changes.put("url", r -> r.setUrl("http://there/"));
    changes.put("http_method", r -> r.setHttpMethod("GET"));
    changes.put("expect_status", r -> r.setExpectStatus("200"));
    changes.put("method", r -> r.setMethod("C"));
    changes.put("prepared", Recipe.Builder::clearPrepared);
    changes.put("schema", r -> r.setSchema(ByteString.copyFromUtf8("a")));
    changes.put("name", r -> r.setName("--data"));
    changes.put("format", r -> r.setFormat("json"));
    changes.put("requests", r -> r.setRequests(ByteString.copyFromUtf8("{}")));
    changes.put("metadata", Recipe.Builder::addMetadataBuilder);
    changes.put("environment", r -> r.putEnvironment("USER", "ada"));
    changes.put("rows_name", r -> r.setRowsName("rows.csv"));
    changes.put("rows", r -> r.setRows(ByteString.copyFromUtf8("a\n1\n")));
    changes.forEach((field, change) -> {
      Connect.Builder connect = connect();
      change.accept(connect.getCallBuilder().getRecipeBuilder());
      assertEquals("connect.call.recipe." + field, fault(connect));
    });
    assertDoesNotThrow(() -> RecipeCheck.check(INFO, connect().build()));
  }

  @Test
  void whatARecipeReplacesIsNamed() {
    Map<String, Consumer<Call.Builder>> changes = new LinkedHashMap<>();
    changes.put("request_bytes", c -> c.setRequestBytes(1));
    changes.put("seed", c -> c.setSeed(1));
    changes.put("batch", c -> c.setBatch(1));
    changes.put("sizes", Call.Builder::getSizesBuilder);
    changes.put("accesses", Call.Builder::getAccessesBuilder);
    changes.forEach((field, change) -> {
      Connect.Builder connect = connect();
      change.accept(connect.getCallBuilder());
      assertEquals("connect.call." + field, fault(connect));
    });
  }
}
