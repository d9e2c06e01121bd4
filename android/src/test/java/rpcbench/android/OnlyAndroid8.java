package rpcbench.android;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import javax.annotation.Priority;
import javax.inject.Inject;
import org.robolectric.internal.dependency.DependencyResolver;
import org.robolectric.pluginapi.Sdk;
import org.robolectric.pluginapi.SdkProvider;
import org.robolectric.plugins.DefaultSdkProvider;

/** Has Robolectric know the one Android that the tests run on. It would want the latest beside it, for its resources. */
@Priority(1)
public final class OnlyAndroid8 implements SdkProvider {
  private static final int API_LEVEL = 26;

  private final List<Sdk> sdks;

  @Inject
  public OnlyAndroid8(DependencyResolver resolver) {
    sdks = new DefaultSdkProvider(resolver)
        .getSdks().stream().filter(sdk -> sdk.getApiLevel() == API_LEVEL).collect(Collectors.toList());
  }

  @Override
  public Collection<Sdk> getSdks() {
    return sdks;
  }
}
