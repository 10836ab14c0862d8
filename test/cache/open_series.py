# Opens a cache directory's frames.xdmf in ParaView (pvpython, best under `xvfb-run -a`), holds it against the
# expected steps, counts and channels, and draws the last step.
#
#   pvpython open_series.py DIR "time:count time:count ..." "channel channel ..." picture.png
import struct
import sys

from paraview import simple


def check(condition, sentence):
    if not condition:
        print("open_series.py: " + sentence)
        sys.exit(1)


def main():
    directory, steps, channels, picture = sys.argv[1:5]
    wanted = [tuple(step.split(":")) for step in steps.split()]
    reader = simple.XDMFReader(FileNames=[directory + "/frames.xdmf"])
    reader.UpdatePipelineInformation()
    times = list(reader.TimestepValues)
    check(len(times) == len(wanted), "%d steps, not %d" % (len(times), len(wanted)))
    for time, (wanted_time, count) in zip(times, wanted):
        check(abs(time - float(wanted_time)) < 1e-12, "time %r, not %s" % (time, wanted_time))
        reader.UpdatePipeline(time)
        info = reader.GetDataInformation()
        points = info.GetNumberOfPoints()
        check(points == int(count), "%d points at time %s, not %s" % (points, time, count))
        if points == 0:
            continue
        data = reader.GetPointDataInformation()
        names = [data.GetArray(k).GetName() for k in range(data.GetNumberOfArrays())]
        check(sorted(names) == sorted(channels.split()), "channels %s, not %s" % (names, channels))
        low, high = data.GetArray("id").GetComponentRange(0)
        check(low >= 2**40 and high >= low, "ids from %r to %r" % (low, high))
        low, high = data.GetArray("material").GetComponentRange(0)
        check(low == 1 and high == 2, "materials from %r to %r" % (low, high))

    view = simple.GetActiveViewOrCreate("RenderView")
    view.ViewSize = [640, 480]
    scene = simple.GetAnimationScene()
    scene.UpdateAnimationUsingDataTimeSteps()
    scene.GoToLast()
    shown = simple.Show(reader, view)
    shown.Representation = "Points"
    shown.PointSize = 6
    simple.ColorBy(shown, ("POINTS", "velocity", "Magnitude"))
    shown.RescaleTransferFunctionToDataRange(True)
    view.CameraPosition = [0.4, -0.8, 0.5]
    view.CameraFocalPoint = [0, 0, 0.1]
    view.CameraViewUp = [0, 0, 1]
    simple.ResetCamera(view)
    simple.SaveScreenshot(picture, view)
    check_picture(picture)
    print("open_series.py: %d steps, as they should be" % len(times))


def check_picture(path):
    with open(path, "rb") as file:
        head = file.read(24)
    check(head[:8] == b"\x89PNG\r\n\x1a\n", "no picture was drawn")
    check(struct.unpack(">II", head[16:24]) == (640, 480), "the picture has another size")
    try:
        from vtkmodules.vtkIOImage import vtkPNGReader
    except ImportError:
        return
    reader = vtkPNGReader()
    reader.SetFileName(path)
    reader.Update()
    scalars = reader.GetOutput().GetPointData().GetScalars()
    colors = {scalars.GetTuple(k) for k in range(0, scalars.GetNumberOfTuples(), 7)}
    check(len(colors) > 50, "the picture shows nothing: %d colours" % len(colors))


main()
