package rpcbench.worker;

import static rpcbench.worker.Check.refuse;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import rpcbench.stack.Info;
import rpcbench.stack.Kind;
import rpcbench.stack.Weights;
import rpcbench.worker.v1.Worker.Call;
import rpcbench.worker.v1.Worker.Connect;
import rpcbench.worker.v1.Worker.Mix;
import rpcbench.worker.v1.Worker.MixedRecipe;
import rpcbench.worker.v1.Worker.Recipe;

/** Names the first field of a Connect that a call of another service can't have, or that this stack can't do. */
final class RecipeCheck {
  private static final Set<String> KINDS = Set.of(Kind.UNARY, Kind.UPLOAD, Kind.DOWNLOAD, Kind.STREAM, Kind.PING_PONG);

  private RecipeCheck() {}

  /** Reports whether calls are of another service than ours. */
  static boolean isForeign(Call call) {
    return call.hasRecipe() || call.hasMix();
  }

  static void check(Info info, Connect c) throws FaultException {
    Call call = c.getCall();
    if (call.hasMix()) {
      mix(info, call);
    } else {
      recipe(info, call.getRecipe());
    }
    refuse(!KINDS.contains(call.getKind()), "connect.call.recipe", call.getKind() + " does not call a method");
    refuse(c.hasBackground(), "connect.background", "it can't be combined with a recipe");
    noPayload(call);
  }

  private static void mix(Info info, Call call) throws FaultException {
    String field = "connect.call.mix.recipes";
    refuse(call.hasRecipe(), "connect.call.mix", "there is a recipe");
    refuse(!call.getKind().equals(Kind.UNARY), "connect.call.kind", "calls of a mix are unary, not " + call.getKind());
    refuse(Weights.fault(weights(call.getMix())), field);
    String authority = call.getMix().getRecipes(0).getRecipe().getAuthority();
    for (int i = 0; i < call.getMix().getRecipesCount(); i++) {
      Recipe one = call.getMix().getRecipes(i).getRecipe();
      try {
        recipe(info, one);
      } catch (FaultException e) {
        throw new FaultException(field, "number " + i + ": " + e.getMessage());
      }
      refuse(
          !one.getAuthority().equals(authority), field,
          "number " + i + " has another authority than number 0, and they share connections");
    }
  }

  static List<Long> weights(Mix mix) {
    return mix.getRecipesList().stream().map(MixedRecipe::getWeight).collect(Collectors.toList());
  }

  private static void recipe(Info info, Recipe recipe) throws FaultException {
    refuse(!info.methods(), "connect.call.recipe", info.name() + " does not call other services");
    refuse(!recipe.getUrl().isEmpty(), "connect.call.recipe.url", info.name() + " speaks " + info.protocol());
    refuse(!recipe.getHttpMethod().isEmpty(), "connect.call.recipe.http_method", "there is no URL");
    refuse(!recipe.getExpectStatus().isEmpty(), "connect.call.recipe.expect_status", "there is no URL");
    refuse(recipe.getMethod().indexOf('/') < 1, "connect.call.recipe.method", "it is not package.Service/Method");
    refuse(!recipe.hasPrepared(), "connect.call.recipe.prepared", info.name() + " can't read other requests");
    unprepared(recipe);
  }

  /** What requests and metadata are prepared from does not come beside them. */
  private static void unprepared(Recipe recipe) throws FaultException {
    String why = "the requests are prepared";
    refuse(!recipe.getSchema().isEmpty(), "connect.call.recipe.schema", why);
    refuse(!recipe.getName().isEmpty(), "connect.call.recipe.name", why);
    refuse(!recipe.getFormat().isEmpty(), "connect.call.recipe.format", why);
    refuse(!recipe.getRequests().isEmpty(), "connect.call.recipe.requests", why);
    refuse(recipe.getMetadataCount() > 0, "connect.call.recipe.metadata", why);
    refuse(recipe.getEnvironmentCount() > 0, "connect.call.recipe.environment", why);
    refuse(!recipe.getRowsName().isEmpty(), "connect.call.recipe.rows_name", why);
    refuse(!recipe.getRows().isEmpty(), "connect.call.recipe.rows", why);
  }

  private static void noPayload(Call call) throws FaultException {
    refuse(call.getRequestBytes() != 0, "connect.call.request_bytes", "the recipe has the requests");
    refuse(call.getResponseBytes() != 0, "connect.call.response_bytes", "the recipe's replies have any length");
    refuse(!call.getPayload().isEmpty(), "connect.call.payload", "the recipe has the requests");
    refuse(call.getSeed() != 0, "connect.call.seed", "the recipe has its own");
    refuse(call.getLengthsOnly(), "connect.call.lengths_only", "the recipe's replies have any length");
    refuse(call.getBatch() != 0, "connect.call.batch", "the recipe has no batches");
    refuse(call.hasSizes(), "connect.call.sizes", "the recipe has the requests");
    refuse(call.hasAccesses(), "connect.call.accesses", "the recipe has no batches");
  }

  /** A rate of messages is for calls of a recipe that send several. */
  static void rate(Call call) throws FaultException {
    String field = "connect.call.message_rate_per_sec";
    double rate = call.getMessageRatePerSec();
    if (rate == 0) {
      return;
    }
    boolean several = call.getKind().equals(Kind.UPLOAD) || call.getKind().equals(Kind.STREAM);
    refuse(!call.hasRecipe(), field, "only messages of a recipe have one");
    refuse(!several, field, call.getKind() + " has none; upload and stream have");
    refuse(!(rate > 0) || Double.isInfinite(rate), field, rate + " is not a rate");
  }
}
